// Keeps a page of the console live, and sends acts with a reason. Without it, every page can be read.
"use strict";

const main = document.querySelector("main");
const live = document.querySelector(".live");
const session = document.body.dataset;

// Keeps what a person has opened, typed or scrolled to; replaces the rest.
function update(old, next) {
  if (old.nodeName !== next.nodeName || old.id !== next.id) return old.replaceWith(next.cloneNode(true));
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue === next.nodeValue) return;
    old.nodeValue = next.nodeValue;
    const holder = old.parentElement.closest("[data-flash]");
    if (holder) {
      holder.classList.remove("changed");
      void holder.offsetWidth;
      holder.classList.add("changed");
    }
    return;
  }
  if (old.dataset.keep !== undefined) return;
  // The text of a time is its age, which count() writes; only another time is a change.
  if (old.matches("time") && old.dateTime === next.dateTime) return;
  if (old === document.activeElement && old.matches("input:not(.scrub), select, textarea")) return;
  for (const { name } of [...old.attributes]) {
    if (next.hasAttribute(name) || (name === "open" && old.matches("details"))) continue;
    if (name === "class" && old.classList.contains("changed")) old.className = "changed";
    else if (name !== "hidden") old.removeAttribute(name);
  }
  for (const { name, value } of next.attributes) {
    if (name === "hidden") continue;
    if (name === "src") {
      // The old image stays until the next one is here.
      if (old.getAttribute("src") !== value) showImage(old, value);
      continue;
    }
    if (name === "value" && old.matches(".scrub")) old.value = value;
    if (old.getAttribute(name) !== value && !(name === "open" && old.matches("details"))) old.setAttribute(name, value);
  }
  const known = new Map([...old.children].filter((child) => child.id).map((child) => [child.id, child]));
  let place = old.firstChild;
  for (const child of next.childNodes) {
    const kept = child.id ? known.get(child.id) : place && !place.id ? place : undefined;
    if (!kept) {
      old.insertBefore(child.cloneNode(true), place);
    } else {
      if (kept === place) place = place.nextSibling;
      else old.insertBefore(kept, place);
      update(kept, child);
    }
  }
  while (place) {
    const after = place.nextSibling;
    place.remove();
    place = after;
  }
}

function showImage(image, address) {
  const next = new Image();
  next.onload = () => image.setAttribute("src", address);
  next.src = address;
}

// The scrubber: phones of the page show another revision until it is back at the newest one.
function scrub(input) {
  const area = input.closest("[data-scrubber]");
  const isNewest = input.value === input.max;
  area.querySelector("output").textContent = `revision ${input.value}${isNewest ? "" : " of " + input.max}`;
  if (isNewest) delete area.dataset.keep;
  else area.dataset.keep = "";
  clearTimeout(scrub.timer);
  scrub.timer = setTimeout(() => {
    for (const image of area.querySelectorAll("[data-layout]")) {
      showImage(image, `${area.dataset.scrubber}?rev=${input.value}&layout=${image.dataset.layout}`);
    }
  }, 60);
}
document.addEventListener("input", (event) => event.target.matches(".scrub") && scrub(event.target));
// A slider needs the script: without it, pages show none.
function showSliders() {
  for (const input of document.querySelectorAll(".scrub")) input.hidden = false;
}
showSliders();

// Writes ages beside times, and rates beside totals.
const totals = new Map();
function count() {
  const now = Date.now();
  for (const time of document.querySelectorAll("time[datetime]")) {
    const at = Date.parse(time.dateTime);
    const seconds = Math.round((now - at) / 1000);
    const text =
      Math.abs(seconds) < 2 ? "now"
      : seconds < 0 ? new Date(at).toLocaleTimeString()
      : seconds < 90 ? `${seconds} s ago`
      : seconds < 5400 ? `${Math.round(seconds / 60)} min ago`
      : new Date(at).toLocaleString();
    time.title = new Date(at).toLocaleString();
    if (time.textContent !== text) time.textContent = text;
  }
  for (const total of document.querySelectorAll("[data-total]")) {
    const value = Number(total.dataset.total);
    const before = totals.get(total.dataset.name);
    const rate = document.querySelector(`[data-rate="${CSS.escape(total.dataset.name)}"]`);
    if (!before || value < before.value) totals.set(total.dataset.name, { value, now });
    else if (now - before.now > 1900) {
      const perSecond = ((value - before.value) * 1000) / (now - before.now);
      if (rate) rate.textContent = `${perSecond.toLocaleString(undefined, { maximumFractionDigits: 1 })} a second`;
      totals.set(total.dataset.name, { value, now });
    }
  }
}

let isPaused = false, isFetching = false, isDue = false;
function show(state, text) {
  live.hidden = false;
  live.dataset.state = state;
  live.textContent = text;
}
async function refresh() {
  isDue = true;
  if (isPaused || isFetching || document.hidden || document.querySelector("dialog[open]")) return;
  isFetching = true;
  isDue = false;
  try {
    // The content alone: a whole page would bring a style and a script that this page's policy does not allow.
    const answer = await fetch(location.href, { headers: { "Console-Part": "main" } });
    if (answer.redirected) return location.reload();
    if (!answer.ok) throw new Error(String(answer.status));
    const next = main.cloneNode(false);
    next.innerHTML = await answer.text();
    update(main, next);
    showSliders();
    count();
    show("live", "Live");
  } catch {
    show("lost", "No answer");
  }
  isFetching = false;
  if (isDue) setTimeout(refresh, 200);
}
function listen() {
  const events = new EventSource("/admin/api/v1/events");
  events.onopen = () => show(isPaused ? "paused" : "live", isPaused ? "Paused" : "Live");
  events.onmessage = refresh;
  events.onerror = () => {
    show("lost", "No connection");
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, 3000);
  };
}
function pause() {
  isPaused = !isPaused;
  show(isPaused ? "paused" : "live", isPaused ? "Paused" : "Live");
  if (!isPaused) refresh();
}
if (live && main.dataset.live !== undefined) {
  live.addEventListener("click", pause);
  document.addEventListener("visibilitychange", () => !document.hidden && isDue && refresh());
  listen();
}
setInterval(count, 1000);
count();

// An act: first what it would affect, then the reason, then the change.
const act = document.getElementById("act");
let chosen;
async function send(path, body, query = "") {
  const answer = await fetch(path + query, {
    method: chosen.dataset.method ?? "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const result = await answer.json().catch(() => ({}));
  if (answer.ok) return result;
  const causes = (result.errors ?? []).map((error) => `${error.pointer ?? ""} ${error.detail ?? error.code}`);
  throw new Error([result.title ?? `Answer ${answer.status}`, result.detail, ...causes].filter(Boolean).join(". "));
}
// The members that the fields of a form stand for: times in seconds since 1970; an empty field is left out.
function membersOf(form) {
  const members = {};
  for (const { name, type, value } of form.elements) {
    if (!name || value === "") continue;
    members[name] =
      type === "number" ? Number(value)
      : type === "datetime-local" ? Math.floor(Date.parse(value) / 1000)
      : value;
  }
  return members;
}
function bodyOf(reason) {
  const body = { ...JSON.parse(chosen.dataset.body ?? "{}"), reason };
  if (chosen.dataset.members !== undefined) Object.assign(body, membersOf(chosen.closest("form")));
  if (chosen.dataset.confirm) body.confirm = chosen.dataset.confirm;
  return body;
}
document.addEventListener("click", async (event) => {
  chosen = event.target.closest?.("[data-act]") ?? chosen;
  if (!act || !event.target.closest?.("[data-act]")) return;
  if (chosen.dataset.members !== undefined && !chosen.closest("form").reportValidity()) return;
  act.querySelector("h2").textContent = chosen.dataset.title ?? chosen.textContent;
  act.querySelector(".effect").textContent = chosen.dataset.effect ?? "";
  const state = act.querySelector(".state");
  const submit = act.querySelector("button.primary");
  state.textContent = "Counting …";
  state.className = "state dim";
  submit.disabled = true;
  act.querySelector("textarea").value = "";
  act.showModal();
  try {
    const { result } = await send(chosen.dataset.act, bodyOf("what would change"), "?dryRun=true");
    const affected = result?.wouldAffect;
    state.textContent = affected === undefined ? "" : `Would affect ${Number(affected).toLocaleString()}.`;
    submit.disabled = false;
  } catch (error) {
    state.textContent = error.message;
    state.className = "state bad";
  }
});
act?.querySelector("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const state = act.querySelector(".state");
  const submit = act.querySelector("button.primary");
  submit.disabled = true;
  try {
    const { result } = await send(chosen.dataset.act, bodyOf(act.querySelector("textarea").value));
    if (chosen.dataset.answer !== undefined) {
      const parts = Object.entries(result ?? {}).filter(([, value]) => typeof value !== "object" || value.length);
      state.textContent = parts.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(", ");
      state.className = result?.done === false ? "state bad" : "state good";
      return;
    }
    act.close();
    if (chosen.dataset.then) location.href = chosen.dataset.then;
    else refresh();
  } catch (error) {
    state.textContent = error.message;
    state.className = "state bad";
    submit.disabled = false;
  }
});
act?.querySelector("[data-close]").addEventListener("click", () => act.close());

// Keys: g and a letter go to a page, / searches, p pauses, ? shows the keys.
let prefix = false;
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, textarea") || event.metaKey || event.ctrlKey || event.altKey) return;
  if (document.querySelector("dialog[open]")) return;
  const search = document.querySelector("input[type=search]");
  if (prefix) {
    prefix = false;
    document.querySelector(`nav a[data-key="${CSS.escape(event.key)}"]`)?.click();
  } else if (event.key === "g") {
    prefix = true;
    setTimeout(() => (prefix = false), 1500);
  } else if (event.key === "/" && search) {
    event.preventDefault();
    search.focus();
  } else if (event.key === "p" && live && !live.hidden) pause();
  else if (event.key === "?") document.getElementById("keys").showModal();
});
// A form of members is sent by its act alone.
document.addEventListener("submit", (event) => event.target.querySelector("[data-members]") && event.preventDefault());
document.querySelector("#keys button")?.addEventListener("click", () => document.getElementById("keys").close());
