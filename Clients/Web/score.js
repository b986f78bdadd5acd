// The client of score-server for browsers: lists of matches and live states, in one module without dependencies.

/** Every limit of this module: value, unit, reason, and what happens when it is reached. */
export const limits = Object.freeze({
  /** Matches of one stream, as the server accepts; more are refused with a RangeError. */
  matchesPerStream: 10,
  /** Milliseconds for a whole answer to a read; then it counts as failed. */
  readMs: 20_000,
  /** Milliseconds until the first event of a stream; a later one means that a proxy buffers, and the client polls. */
  firstEventMs: 10_000,
  /** Heartbeats without a byte after which a connection counts as lost. */
  silentHeartbeats: 2.5,
  /** Milliseconds between heartbeats that the server may announce; a value outside becomes the nearer bound. */
  heartbeatMs: Object.freeze([1_000, 120_000]),
  /** Streams that fail in sequence before the client polls instead. */
  failedStreams: 3,
  /** Milliseconds for which the client polls before it opens a stream again. */
  pollingMs: 300_000,
  /** Milliseconds between two polls that the server may announce; a value outside becomes the nearer bound. */
  pollMs: Object.freeze([1_000, 300_000]),
  /** Milliseconds of the first wait after a failure; each further failure doubles it. */
  firstWaitMs: 1_000,
  /** Milliseconds of the longest wait between two attempts. */
  longestWaitMs: 60_000,
  /** Milliseconds of the longest wait that the server may request; a greater one is shortened to it. */
  longestRequestedWaitMs: 3_600_000,
  /** Characters of one event; a state has at most 3,500 bytes, and a longer event ends the connection. */
  eventLength: 131_072,
});

/** The answer of the server to a request that it refuses (RFC 9457). */
export class ScoreError extends Error {
  constructor(status, problem, retryAfterMs) {
    super(problem.detail ?? problem.title ?? `The server answered with status ${status}.`);
    this.name = "ScoreError";
    /** The status code; 0 when there was no answer. */
    this.status = status;
    /** The last part of the problem's type, such as `not-found`; empty without a problem document. */
    this.slug = String(problem.type ?? "").split("/").pop();
    /** Milliseconds after which a retry is useful; null when the server names none. */
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether the same request may succeed later. */
  get isTemporary() {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/** Reads matches and live states of one server. */
export class ScoreClient {
  #base;
  #fetch;
  #random;

  /**
   * @param server The address of the public API, such as https://scores.example.
   * @param options `fetch` and `random` replace those of the browser.
   */
  constructor(server, { fetch = globalThis.fetch.bind(globalThis), random = Math.random } = {}) {
    this.#base = new URL(server);
    if (!this.#base.pathname.endsWith("/")) this.#base.pathname += "/";
    this.#fetch = fetch;
    this.#random = random;
  }

  /** Reads a page of matches; `nextCursor` is present when there are more. */
  matches({ signal, ...filter } = {}) {
    const url = new URL("v1/matches", this.#base);
    for (const [name, value] of Object.entries(filter)) if (value != null) url.searchParams.set(name, String(value));
    return this.#read(url, signal);
  }

  /** Reads the newest state of a match with its scorecard. */
  match(id, { signal } = {}) {
    return this.#read(new URL(`v1/matches/${encodeURIComponent(id)}`, this.#base), signal);
  }

  /**
   * Follows one to ten matches until all are over.
   *
   * It reconnects at the position of the last event, and polls where streams do not work. Leaving the loop or aborting
   * `signal` closes the connection. Of several matches one that the server does not have ends without a result. Throws a
   * ScoreError when a retry cannot help.
   */
  async *watch(ids, { signal } = {}) {
    const matches = [ids].flat();
    if (matches.length < 1 || matches.length > limits.matchesPerStream || new Set(matches).size < matches.length) {
      throw new RangeError(`expected 1 to ${limits.matchesPerStream} different ids of matches`);
    }
    const live = new LiveState(matches, this.#random);
    while (!live.isOver) {
      signal?.throwIfAborted();
      yield* this.#stream(live, signal);
      if (live.isOver) return;
      if (live.shouldPoll) {
        yield* this.#poll(live, signal);
      } else {
        yield { type: "connection", state: "waiting" };
        await pause(live.nextWait(), signal);
      }
    }
  }

  async *#stream(live, signal) {
    const connection = new Connection(signal);
    live.begin();
    let isOpen = false;
    try {
      const opened = await connection.within(limits.firstEventMs, () => this.#open(live, connection.signal));
      // The matches ended while there was no connection.
      if (opened === null) return yield* this.#pollOnce(live, signal);
      isOpen = true;
      const reader = opened.body.getReader();
      const text = new TextDecoder();
      const parser = new EventStreamParser(live.lastEventId);
      const firstEventBy = performance.now() + limits.firstEventMs;
      for (;;) {
        const limit = live.silenceMs ?? firstEventBy - performance.now();
        const { done, value } = await connection.within(limit, () => reader.read());
        if (done) return live.lost();
        const events = parser.read(text.decode(value, { stream: true }));
        live.setRetry(parser.retryMs);
        for (const event of events) {
          yield* live.take(event);
          if (live.isOver || live.wasClosedByServer) return;
        }
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (live.mayLack(error)) {
        // The server refuses a stream for one missing match: reads find out which one it is.
        const open = live.openMatches.length;
        yield* this.#pollOnce(live, signal);
        if (live.openMatches.length < open) return;
      } else if (error instanceof ScoreError && !error.isTemporary) {
        throw error;
      }
      live.lost(error, isOpen);
    } finally {
      connection.close();
    }
  }

  /** Opens the stream; null when all matches are over. */
  async #open(live, signal) {
    const isSingle = live.matches.length === 1;
    const path = isSingle ? `v1/matches/${encodeURIComponent(live.matches[0])}/stream` : "v1/stream";
    const url = new URL(path, this.#base);
    // Also for a last open match: the route of one match has another form of ids.
    if (!isSingle) url.searchParams.set("matches", live.openMatches.join(","));
    // The parameter avoids the preflight request that the header Last-Event-ID would need.
    if (live.lastEventId) url.searchParams.set("lastEventId", live.lastEventId);
    const answer = await this.#fetch(url, { headers: { Accept: "text/event-stream" }, cache: "no-store", signal });
    if (answer.status === 204) return null;
    if (!answer.ok) throw await problem(answer);
    return answer;
  }

  async *#poll(live, signal) {
    live.beginPolling();
    yield { type: "connection", state: "polling" };
    const end = performance.now() + limits.pollingMs;
    while (performance.now() < end) {
      const wait = yield* this.#pollOnce(live, signal);
      if (live.isOver) return;
      await pause(clamp(wait, limits.pollMs), signal);
    }
  }

  /** Reads each match that is not over; returns the milliseconds until another read is useful. */
  async *#pollOnce(live, signal) {
    let wait = limits.pollMs[1];
    for (const id of live.openMatches) {
      try {
        const match = await this.match(id, { signal });
        yield* live.takePolled(match);
        wait = Math.min(wait, match.nextPollMs ?? wait);
      } catch (error) {
        signal?.throwIfAborted();
        if (live.mayLack(error)) {
          yield* live.takeMissing(id);
          continue;
        }
        if (!(error instanceof ScoreError) || !error.isTemporary) throw error;
        wait = Math.min(wait, Math.max(live.nextWait(), error.retryAfterMs ?? 0));
      }
    }
    return wait;
  }

  /** Reads JSON; the browser's cache revalidates it by its entity tag. */
  async #read(url, signal) {
    const connection = new Connection(signal);
    try {
      return await connection.within(limits.readMs, async () => {
        const answer = await this.#fetch(url, { cache: "no-cache", signal: connection.signal });
        if (!answer.ok) throw await problem(answer);
        return answer.json();
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof ScoreError ? error : new ScoreError(0, { detail: String(error) }, null);
    } finally {
      connection.close();
    }
  }
}

/** Decides what a live stream does after each event; it does no input and output. */
class LiveState {
  #random;
  #newest = new Map();
  #ended = new Set();
  #flags = new Map();
  #failures = 0;
  #doublings = 0;
  #heartbeatMs = null;
  #requestedWaitMs = 0;

  lastEventId = "";
  wasClosedByServer = false;

  constructor(matches, random) {
    this.matches = matches;
    this.#random = random;
  }

  get openMatches() { return this.matches.filter((id) => !this.#ended.has(id)); }
  get isOver() { return this.openMatches.length === 0; }
  get shouldPoll() { return this.#failures >= limits.failedStreams; }

  /** The time after which a connection without a byte counts as lost; null before its first event. */
  get silenceMs() { return this.#heartbeatMs === null ? null : this.#heartbeatMs * limits.silentHeartbeats; }

  /** A connection is opened. */
  begin() {
    this.#heartbeatMs = null;
    this.wasClosedByServer = false;
  }

  /** Polls replace the stream for a while; the streams after it are counted from the beginning. */
  beginPolling() { this.#failures = 0; }

  /** A connection has ended or could not be opened. */
  lost(error, isOpen) {
    if (this.#heartbeatMs === null) this.#failures += 1;
    // A proxy collects the stream, so that another one would not help.
    if (this.#heartbeatMs === null && isOpen && error instanceof Silence) this.#failures = limits.failedStreams;
    if (error instanceof ScoreError && error.retryAfterMs !== null) this.setRetry(error.retryAfterMs);
  }

  /** The server has set the wait before the next connection; null for none. */
  setRetry(ms) { if (ms !== null) this.#requestedWaitMs = ms; }

  /** The wait before the next attempt: what the server requested, and at least a growing, partly random time. */
  nextWait() {
    const bound = Math.min(limits.firstWaitMs * 2 ** this.#doublings, limits.longestWaitMs);
    this.#doublings = Math.min(this.#doublings + 1, 16);
    const own = bound / 2 + this.#random() * (bound / 2);
    const requested = this.#requestedWaitMs === 0 ? 0 : this.#requestedWaitMs + this.#random() * limits.firstWaitMs;
    this.#requestedWaitMs = 0;
    return Math.max(own, Math.min(requested, limits.longestRequestedWaitMs));
  }

  /** The events for the page that an event of the stream makes. */
  *take({ name, data, id }) {
    this.lastEventId = id;
    const body = parseJSON(data);
    if (body === null || typeof body !== "object") return;
    switch (name) {
      case "hello":
        this.#heartbeatMs = clamp(body.heartbeatMs ?? 15_000, limits.heartbeatMs);
        this.#failures = 0;
        this.#doublings = 0;
        yield { type: "connection", state: "connected" };
        // The stream begins with the flags that are set; those of the connection before may have ended.
        for (const [key, isSet] of this.#flags) if (isSet) yield* this.#flag(...key.split(" "), false);
        break;
      case "state": yield* this.#state(body, false); break;
      case "reset": yield* this.#state(body.state ?? {}, true); break;
      case "held":
      case "stale": yield* this.#flag(name, body.matchId, body[name] ?? true, body.reason); break;
      case "end": yield* this.#end(body.matchId, body.result); break;
      case "bye":
        this.wasClosedByServer = true;
        this.#requestedWaitMs = Math.max(body.reconnectAfterMs ?? 0, 1);
        break;
    }
  }

  /** The events for the page that a polled match makes. */
  *takePolled(match) {
    const { id, epoch, rev, status, display, provenance = {} } = match;
    yield* this.#state({ matchId: id, epoch, rev, status, display, urgent: false }, false);
    for (const name of ["held", "stale"]) {
      if (name in provenance) yield* this.#flag(name, id, provenance[name]);
    }
    // A match also counts as finished when the balls prove a result; it goes on until the feed states the end.
    const isOver = status === "abandoned" || (status === "finished" && (match.result?.official ?? true));
    if (isOver) yield* this.#end(id, match.result?.text);
  }

  /** Whether the answer of the server means that it does not have one of several matches; a single one is an error. */
  mayLack(error) {
    return this.matches.length > 1 && error instanceof ScoreError && (error.status === 404 || error.status === 410);
  }

  /** The events for the page that a match makes which the server does not have. */
  *takeMissing(id) { yield* this.#end(id, null); }

  /** A state that is newer than the last one of its match; after a reset every state is. */
  *#state({ matchId, epoch, rev, status, display, urgent = false }, wasReset) {
    if (!this.matches.includes(matchId) || !Number.isSafeInteger(rev)) return;
    const last = this.#newest.get(matchId);
    const isReset = wasReset || (last !== undefined && last.epoch !== epoch);
    if (last !== undefined && !isReset && rev <= last.rev) return;
    this.#newest.set(matchId, { epoch, rev });
    yield { type: "state", matchId, epoch, rev, status, display, urgent, isReset };
  }

  *#flag(name, matchId, value, reason) {
    const key = `${name} ${matchId}`;
    if ((this.#flags.get(key) ?? false) === value) return;
    this.#flags.set(key, value);
    yield reason === undefined ? { type: name, matchId, [name]: value } : { type: name, matchId, [name]: value, reason };
  }

  *#end(matchId, result) {
    if (!this.matches.includes(matchId) || this.#ended.has(matchId)) return;
    this.#ended.add(matchId);
    yield { type: "end", matchId, result: result ?? null };
  }
}

/** Splits `text/event-stream` into events (HTML standard, 9.2.6), with a bound on the length of an event. */
export class EventStreamParser {
  #rest = "";
  #name = "";
  #data = null;
  #nextId;

  constructor(lastEventId = "") {
    this.#nextId = lastEventId;
    /** The id of the newest event; events without an id keep it. */
    this.lastEventId = lastEventId;
    /** Milliseconds before a reconnect that the stream has set; null for none. */
    this.retryMs = null;
  }

  /** Takes characters; returns the events that they complete. Throws a RangeError for an event that is too long. */
  read(text) {
    const events = [];
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?=[^])/);
    this.#rest = lines.pop();
    for (const line of lines) {
      if (line === "") {
        this.lastEventId = this.#nextId;
        if (this.#data !== null) events.push({ name: this.#name || "message", data: this.#data, id: this.lastEventId });
        this.#name = "";
        this.#data = null;
      } else {
        this.#field(line);
      }
    }
    if (this.#rest.length + (this.#data?.length ?? 0) > limits.eventLength) throw new RangeError("an event is too long");
    return events;
  }

  #field(line) {
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "event") this.#name = value;
    if (name === "data") this.#data = this.#data === null ? value : `${this.#data}\n${value}`;
    if (name === "id" && !value.includes("\0")) this.#nextId = value;
    if (name === "retry" && /^[0-9]+$/.test(value)) this.retryMs = Math.min(Number(value), limits.longestRequestedWaitMs);
  }
}

/** A step of a connection that took too long. */
class Silence extends Error {
  constructor() { super("the server was silent for too long"); }
}

/** One request of the page; it ends with the page's signal. */
class Connection {
  #controller = new AbortController();
  #signal;
  #abort = () => this.#controller.abort(this.#signal.reason);

  constructor(signal) {
    this.#signal = signal;
    signal?.addEventListener("abort", this.#abort, { once: true });
    if (signal?.aborted) this.#abort();
  }

  get signal() { return this.#controller.signal; }

  /** Runs one step; throws, and ends the request, when the step takes longer than the limit in milliseconds. */
  async within(ms, step) {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => {
        reject(new Silence());
        this.#controller.abort();
      }, ms);
    });
    try {
      return await Promise.race([step(), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  close() {
    this.#signal?.removeEventListener("abort", this.#abort);
    this.#controller.abort();
  }
}

/** Waits, and ends early when the network returns. */
function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const done = (finish) => () => {
      clearTimeout(timer);
      globalThis.removeEventListener?.("online", ended);
      signal?.removeEventListener("abort", aborted);
      finish();
    };
    const ended = done(resolve);
    const aborted = done(() => reject(signal.reason));
    const timer = setTimeout(ended, ms);
    globalThis.addEventListener?.("online", ended);
    signal?.addEventListener("abort", aborted);
    if (signal?.aborted) aborted();
  });
}

async function problem(answer) {
  const body = parseJSON(await answer.text()) ?? {};
  const seconds = Number(answer.headers.get("Retry-After") ?? NaN);
  return new ScoreError(answer.status, body, Number.isFinite(seconds) ? seconds * 1_000 : null);
}

function parseJSON(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function clamp(value, [least, most]) {
  return Math.min(Math.max(value, least), most);
}
