"""Uses the operators' console in Chromium beside a running demo, as an operator would.

Checks every page at three widths, dark and light: no error in the browser's console, no sideways scrolling, no finding
of axe-core. Follows a match until a wicket on its page and on its phones, moves the slider, holds and releases the
match, sends its state again, pauses an environment of APNs, searches a device, reads the audit log and its chain. With a
token of an administrator it ends an activity, overrides a status, sets the lowest build, runs a sweep, revokes the token and is
out. Then it changes an entry of the audit log in the database, which the page and the command find. A second demo plays a match
with hostile names: no script runs and no layout breaks. Screenshots are written to a folder.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from axe_core_python.sync_playwright import Axe
from playwright.sync_api import Page, sync_playwright

PAGES = {
    "overview": "/admin",
    "matches": "/admin/matches",
    "match": "/admin/matches/{match}",
    "phones": "/admin/matches/{match}/phones",
    "revision": "/admin/matches/{match}/revisions/8",
    "feeds": "/admin/feeds",
    "push": "/admin/push",
    "apns": "/admin/apns",
    "pushes": "/admin/pushes",
    "dead-letters": "/admin/dead-letters",
    "devices": "/admin/devices",
    "activities": "/admin/activities",
    "activities-of-a-match": "/admin/activities?state=all&match={match}",
    "streams": "/admin/streams",
    "sweeps": "/admin/sweeps",
    "nodes": "/admin/nodes",
    "flags": "/admin/flags",
    "configuration": "/admin/configuration",
    "audit": "/admin/audit",
    "runbooks": "/admin/runbooks",
    "runbook": "/admin/runbooks/stuck-activity",
}
WIDTHS = {390: 844, 1280: 900, 1920: 1080}
HOSTILE = [
    "<script>document.title='broken'</script>",
    "\"><img src=x onerror=document.title='broken'>",
    "</title><svg onload=document.title='broken'>",
    "\u202edrawkcab\u202c name",
    "W" * 200,
    "🏏👩‍👩‍👧‍👦🏏 مومباي",
    "{{{style}}}{{#matches}}",
]


class Findings:
    """What a browser or a check complained about."""

    def __init__(self) -> None:
        self.all: list[str] = []

    def check(self, holds: bool, text: str) -> None:
        print("ok  " if holds else "FAIL", text, flush=True)
        if not holds:
            self.all.append(text)


class Demo:
    """A running demo with its console."""

    def __init__(self, lab: str, *options: str) -> None:
        self.process = subprocess.Popen([lab, "demo", *options], stdout=subprocess.PIPE, text=True)
        self.base = self.phones = None
        for line in self.process.stdout:
            if found := re.match(r"Phones: +(http://[^/]+)(/\S+)", line):
                self.base, self.phones = found.groups()
            if "play begins" in line:
                break
        assert self.base and self.phones, "the demo did not start"
        self.match = self.phones.split("/")[3]

    def path(self, name: str) -> str:
        return self.base + PAGES[name].replace("{match}", self.match)

    def environment(self) -> dict[str, str]:
        """The settings of the demo's server, for its commands."""
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/children")
        for child in [child for task in tasks for child in task.read_text().split()]:
            if b"score-server" in pathlib.Path(f"/proc/{child}/cmdline").read_bytes():
                pairs = pathlib.Path(f"/proc/{child}/environ").read_bytes().decode().split("\0")
                return dict(pair.split("=", 1) for pair in pairs if "=" in pair)
        raise AssertionError("the demo runs no server")

    def __enter__(self) -> "Demo":
        return self

    def __exit__(self, *_) -> None:
        self.process.terminate()
        self.process.wait(timeout=30)


def listen(page: Page, findings: Findings, expected: str = "") -> None:
    """Takes errors of the page for findings; a refused policy is one of them."""
    page.on("pageerror", lambda error: findings.check(False, f"script: {error}"))
    page.on("dialog", lambda dialog: (findings.check(False, f"dialog: {dialog.message}"), dialog.dismiss()))

    def line(entry) -> None:
        if entry.type == "error" and not (expected and expected in entry.text):
            findings.check(False, f"console: {entry.text}")

    page.on("console", line)


def look(browser, demo: Demo, folder: pathlib.Path, findings: Findings, prefix: str = "") -> None:
    """Opens every page at every width, dark and light."""
    for width, height in WIDTHS.items():
        for scheme in ("light", "dark"):
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
            page = context.new_page()
            listen(page, findings)
            for name in PAGES:
                page.goto(demo.path(name))
                page.wait_for_selector("main")
                page.wait_for_timeout(300)
                wide = page.evaluate("document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth")
                where = f"{prefix}{name} at {width} px, {scheme}"
                findings.check(wide <= 0, f"{where}: no sideways scrolling ({wide} px)")
                broken = page.evaluate(
                    "[...document.images].filter((i) => i.complete && !i.naturalWidth).map((i) => i.src)"
                )
                findings.check(not broken, f"{where}: every picture is drawn {broken[:2]}")
                findings.check(page.title() != "broken", f"{where}: no foreign script has run")
                page.screenshot(path=folder / f"{prefix}{name}-{width}-{scheme}.png")
                if width == 1280:
                    result = Axe().run(page)
                    ids = [f"{v['id']} ({v['nodes'][0]['html'][:90]})" for v in result["violations"]]
                    findings.check(not ids, f"{where}: accessible {'; '.join(ids)}")
            context.close()


def follow(browser, demo: Demo, folder: pathlib.Path, findings: Findings) -> None:
    """Follows the match until a wicket, and measures how long after its publication the page shows it."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    phones = browser.new_page(viewport={"width": 1280, "height": 900})
    for each in (page, phones):
        listen(each, findings)
    phones.goto(demo.path("phones"))
    phones.evaluate(
        """() => {
            window.drawn = new Set();
            window.alerted = null;
            const look = () => {
                for (const image of document.querySelectorAll('.phones img')) window.drawn.add(image.src);
                if (!window.alerted && document.querySelector('.phones .alerting')) window.alerted = Date.now();
            };
            new MutationObserver(look).observe(document.querySelector('main'),
                { subtree: true, childList: true, attributes: true });
            look();
        }"""
    )
    page.goto(demo.path("match"))
    age = page.evaluate(
        """() => new Promise((resolve) => {
            let seen = new Set([...document.querySelectorAll('.timeline li')].map((li) => li.id));
            new MutationObserver(() => {
                for (const line of document.querySelectorAll('.timeline li')) {
                    if (seen.has(line.id)) continue;
                    seen.add(line.id);
                    if (line.querySelector('.wicket')) {
                        resolve(Date.now() - Date.parse(line.querySelector('time').dateTime));
                    }
                }
            }).observe(document.querySelector('main'), { subtree: true, childList: true, characterData: true });
            setTimeout(() => resolve(null), 120000);
        })"""
    )
    findings.check(age is not None and age < 1000, f"a wicket is on the page {age} ms after its revision was written")
    page.screenshot(path=folder / "wicket.png")
    wait(phones, "window.alerted", 20)
    phones.screenshot(path=folder / "alert.png")
    count = phones.evaluate("window.drawn.size")
    findings.check(count >= 6, f"the phones have moved: {count} pictures; a wicket has arrived as an alert")
    scrub(page, folder, findings)
    page.close()
    phones.close()


def wait(page: Page, expression: str, seconds: float = 10) -> None:
    """Waits until an expression holds; the policy of the page lets the browser evaluate no text by itself."""
    deadline = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < deadline, f"not within {seconds} s: {expression}"
        page.wait_for_timeout(50)


def scrub(page: Page, folder: pathlib.Path, findings: Findings) -> None:
    """Moves the slider to an early revision; the phones keep it while the match goes on."""
    slider = page.get_by_label("Revision that the phones show")
    findings.check(slider.is_visible(), "the page has its slider")
    slider.evaluate("(input) => { input.value = 8; input.dispatchEvent(new Event('input', { bubbles: true })); }")
    wait(page, "document.querySelector('[data-scrubber] img').src.includes('rev=8&')")
    page.wait_for_timeout(1500)
    kept = page.evaluate("document.querySelector('[data-scrubber] img').src")
    findings.check("rev=8&" in kept, "the slider shows revision 8 while the match goes on")
    page.screenshot(path=folder / "slider.png")


def operate(browser, demo: Demo, folder: pathlib.Path, findings: Findings) -> None:
    """Holds the match, releases it, sends it again, and reads the acts in the audit log."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    listen(page, findings, expected="429")
    page.goto(demo.path("match"))
    for act, button in (("Hold", "Release"), ("Release", "Hold"), ("Resync", "Hold"), ("Republish", "Hold")):
        page.get_by_role("button", name=act, exact=True).click()
        page.get_by_text("Would affect").wait_for()
        page.screenshot(path=folder / f"{act.lower()}.png")
        page.get_by_label("Reason").fill(f"{act} by the check of the console")
        page.get_by_role("button", name="Do it").click()
        page.get_by_role("button", name=button, exact=True).wait_for(timeout=5000)
        wait(page, "!document.querySelector('dialog[open]')")
        findings.check(True, f"{act}: done, and the page is as it has to be")
    page.keyboard.press("g")
    page.keyboard.press("l")
    page.wait_for_url("**/admin/audit")
    text = page.inner_text("body")
    acts = ["match.hold", "match.release", "match.resync", "match.republish"]
    findings.check(all(act in text for act in acts), "the audit log has the acts")
    findings.check("chain is whole" in text, "the chain of the audit log is whole")
    page.close()


def find_device(browser, demo: Demo, folder: pathlib.Path, findings: Findings) -> None:
    """Opens the device of an activity of the match, and searches it by the fingerprint of a token."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    listen(page, findings)
    page.goto(demo.path("activities-of-a-match"))
    page.locator("main a[href^='/admin/devices/']").first.click()
    page.wait_for_url("**/admin/devices/*")
    PAGES["device"] = page.evaluate("location.pathname")
    device = PAGES["device"].rsplit("/", 1)[1]
    findings.check(device in page.inner_text("main"), "an activity leads to its device")
    prints = page.evaluate("[...document.querySelectorAll('td code')].map((code) => code.textContent).filter(Boolean)")
    page.keyboard.press("g")
    page.keyboard.press("d")
    page.wait_for_url("**/admin/devices")
    page.get_by_label("Search devices").fill(prints[0])
    page.keyboard.press("Enter")
    page.wait_for_url("**/admin/devices?*")
    findings.check(device in page.inner_text("main"), "the fingerprint of a token leads to its device")
    page.screenshot(path=folder / "search-device.png")
    page.close()


def decide(page: Page, act: str, affected: str, reason: str) -> None:
    """Reads what an open act would affect, gives the reason, and does it."""
    page.get_by_text(affected).wait_for()
    page.get_by_label("Reason").fill(f"{reason} by the check of the console")
    page.get_by_role("button", name="Do it").click()
    try:
        wait(page, "!document.querySelector('dialog[open]')")
    except AssertionError:
        raise AssertionError(f"{act}: {page.inner_text('dialog[open]')}") from None


def administer(page: Page, demo: Demo, folder: pathlib.Path, findings: Findings) -> None:
    """Ends the activity of a device, overrides a status and lifts it, and runs a sweep."""
    page.goto(demo.path("activities-of-a-match"))
    page.locator("main a[href^='/admin/devices/']").first.click()
    page.get_by_role("button", name="End", exact=True).first.click()
    decide(page, "End", "Would affect 1.", "an end")
    page.locator("main").get_by_text("ended").first.wait_for(timeout=10000)
    findings.check(True, "an activity was ended, and the page says so")
    page.screenshot(path=folder / "end-activity.png")
    page.goto(demo.path("match"))
    page.get_by_text("Override a field of the feed").click()
    page.locator("select[name=status]").select_option("rain")
    page.get_by_role("button", name="Override the status").click()
    decide(page, "Override", "Would affect 1.", "rain")
    page.get_by_role("button", name="Lift").wait_for(timeout=10000)
    page.screenshot(path=folder / "override.png")
    page.get_by_role("button", name="Lift").click()
    decide(page, "Lift", "Would affect 1.", "no rain")
    page.get_by_text("Every field is the feed's own.").wait_for(timeout=10000)
    findings.check(True, "a status was overridden with its form, and lifted")
    page.goto(demo.path("flags"))
    card = page.locator("#flag-minimum-build")
    card.get_by_label("Build").fill("7")
    card.get_by_role("button", name="Set", exact=True).click()
    decide(page, "Set", "Would affect 1.", "a build")
    card.get_by_text("a build by the check").wait_for(timeout=10000)
    card.get_by_role("button", name="Set back").click()
    decide(page, "Set back", "Would affect 1.", "no build")
    findings.check(True, "the lowest build was set with its form, and set back")
    page.goto(demo.path("sweeps"))
    page.get_by_role("button", name="Run now").first.click()
    decide(page, "Run", "Would affect", "a run")
    page.locator("main .timeline").get_by_text("token:check").first.wait_for(timeout=10000)
    findings.check(True, "a sweep was run, and the page names its caller")


def leave(browser, demo: Demo, server: str, folder: pathlib.Path, findings: Findings) -> None:
    """Signs in with a token of an administrator, uses it, revokes it, and is out."""
    command = [server, "admin", "tokens", "create", "--name", "check", "--role", "admin"]
    made = subprocess.run(command, env=demo.environment(), capture_output=True, text=True, check=True)
    token = re.search(r"ssa1\.([^.\s]+)\.\S+", made.stdout)
    assert token, made.stdout
    page = browser.new_page()
    listen(page, findings, expected="401")
    page.goto(demo.base + "/admin/sign-in")
    page.get_by_label("Admin token").fill(token.group(0))
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/admin")
    findings.check("check, admin" in page.inner_text("body"), "signed in with an own token")
    administer(page, demo, folder, findings)
    status = page.evaluate(
        """async (id) => (await fetch(`/admin/api/v1/admin-tokens/${id}`, { method: 'DELETE',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({ reason: 'the check ends', confirm: id }) })).status""",
        token.group(1),
    )
    page.goto(demo.base + "/admin/matches")
    findings.check(
        status == 200 and "/admin/sign-in" in page.url, f"the own token is revoked ({status}), and its session is out"
    )
    page.close()


def tamper(browser, demo: Demo, server: str, folder: pathlib.Path, findings: Findings) -> None:
    """Changes the reason of the newest act in the database: the page and the command name the entry."""
    environment = demo.environment()
    verify = [server, "audit", "verify", "--env", "none"]
    whole = subprocess.run(verify, env=environment, capture_output=True, text=True)
    findings.check(whole.returncode == 0, f"the chain is whole: {whole.stdout.strip()}")
    change = "update audit set reason = 'nothing' where audit_id = (select max(audit_id) from audit) returning audit_id"
    made = subprocess.run(
        ["psql", "--no-psqlrc", "-qtA", environment["DATABASE_URL"], "-c", change],
        env=environment, capture_output=True, text=True, check=True,
    )
    entry = made.stdout.strip()
    broken = subprocess.run(verify, env=environment, capture_output=True, text=True)
    findings.check(
        broken.returncode == 1 and f"entry {entry}:" in broken.stdout, f"the change is found: {broken.stdout.strip()}"
    )
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    listen(page, findings)
    page.goto(demo.path("audit"))
    findings.check("chain is broken" in page.inner_text("body"), "the page says that the chain is broken")
    page.screenshot(path=folder / "tampered.png")
    page.close()


def hostile_match(folder: pathlib.Path) -> str:
    """A file of the demo's match in which every name is a hostile one."""
    text = pathlib.Path("docs/demo_match.json").read_text()
    match = json.loads(text)
    info = match["info"]
    names = list(info["teams"]) + [name for people in info["players"].values() for name in people]
    info["event"] = {"name": HOSTILE[0]}
    text = json.dumps(match)
    for number, name in enumerate(sorted(set(names), key=len, reverse=True)):
        bad = HOSTILE[number % len(HOSTILE)] + ("" if number < len(HOSTILE) else f" {number}")
        text = text.replace(json.dumps(name), json.dumps(bad))
    file = folder / "hostile.json"
    file.write_text(text)
    return str(file)


def steer(browser, demo: Demo, folder: pathlib.Path, findings: Findings) -> None:
    """Pauses an environment of APNs, probes its key, resumes it, and looks at one of its pushes."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    listen(page, findings)
    page.goto(demo.path("apns"))
    for act, proof in (("Pause", "Switched off by"), ("Probe", "APNs accepts the key"), ("Resume", "sending")):
        page.get_by_role("button", name=act, exact=True).first.click()
        page.get_by_text("Would affect 1.").wait_for()
        page.get_by_label("Reason").fill(f"{act} by the check of the console")
        page.get_by_role("button", name="Do it").click()
        page.locator("main").get_by_text(proof).first.wait_for(timeout=15000)
        findings.check(True, f"{act} of an environment: the page says “{proof}”")
        page.screenshot(path=folder / f"apns-{act.lower()}.png")
    page.goto(demo.path("pushes") + "?outcome=accepted")
    page.locator("tbody a").first.click()
    page.get_by_text("Sent, try 1").wait_for()
    findings.check("Answered: 200" in page.inner_text("main"), "a push is shown with its timeline")
    page.screenshot(path=folder / "push-attempt.png")
    page.close()


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--lab", required=True, help="the executable score-lab")
    options.add_argument("--out", default=".console-check", help="the folder for screenshots")
    options.add_argument("--browser", default="/usr/bin/chromium")
    given = options.parse_args()
    folder = pathlib.Path(given.out)
    folder.mkdir(parents=True, exist_ok=True)
    findings = Findings()
    server = os.path.join(os.path.dirname(given.lab), "score-server")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as scratch:
        browser = playwright.chromium.launch(executable_path=given.browser, args=["--no-sandbox"])
        with Demo(given.lab, "--speed", "30", "--followers", "60") as demo:
            time.sleep(20)
            follow(browser, demo, folder, findings)
            operate(browser, demo, folder, findings)
            steer(browser, demo, folder, findings)
            find_device(browser, demo, folder, findings)
            look(browser, demo, folder, findings)
            del PAGES["device"]
            leave(browser, demo, server, folder, findings)
            tamper(browser, demo, server, folder, findings)
        match = hostile_match(pathlib.Path(scratch))
        with Demo(given.lab, "--speed", "60", "--followers", "10", "--match", match) as demo:
            time.sleep(15)
            look(browser, demo, folder, findings, prefix="hostile-")
        browser.close()
    print(f"{len(findings.all)} findings; screenshots in {folder}")
    return 1 if findings.all else 0


if __name__ == "__main__":
    sys.exit(main())
