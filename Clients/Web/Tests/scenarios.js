// The behaviour of score.js in a browser: each scenario follows a match of a scripted server and lists its events.

import { EventStreamParser, ScoreClient, ScoreError } from "/score.js";

/** The events that a scenario yields, in short, and its end. */
async function follow(api, scenario, { matches = "m", signal, stopAfter } = {}) {
  const client = new ScoreClient(`${api}/${scenario}`, { random: () => 0 });
  const seen = [];
  try {
    for await (const event of client.watch(matches, { signal })) {
      seen.push(short(event));
      if (event.type === stopAfter) break;
    }
    seen.push("done");
  } catch (error) {
    const slug = error instanceof ScoreError ? `${error.status} ${error.slug} ${error.isTemporary}` : error.name;
    seen.push(`error ${slug}`);
  }
  return seen;
}

function short(event) {
  switch (event.type) {
    case "state": return `${event.isReset ? "reset" : "state"} ${event.matchId} ${event.epoch}.${event.rev} ${event.display.lockScreen.line}`;
    case "held": return `held ${event.held}`;
    case "stale": return `stale ${event.stale}`;
    case "end": return `end ${event.matchId} ${event.result}`;
    default: return event.state;
  }
}

function parse(chunks) {
  const parser = new EventStreamParser("start");
  return chunks.flatMap((chunk) => parser.read(chunk)).map(({ name, data, id }) => `${name}|${data}|${id}`);
}

export async function run(api) {
  const names = ["buffered", "silent", "polled", "proven", "split", "resume", "older", "epoch", "bye", "over", "gone", "held"];
  const scenarios = names.map((name) => [name, () => follow(api, name)]);
  scenarios.push(
    ["two", () => follow(api, "two", { matches: ["m", "n"] })],
    ["removed", () => follow(api, "removed", { matches: ["m", "n"] })],
    ["left", () => follow(api, "left", { stopAfter: "state" })],
    ["aborted", () => follow(api, "aborted", { signal: AbortSignal.timeout(500) })],
    ["wrong", () => follow(api, "wrong", { matches: ["m", "m"] })],
    ["parsed", () => parse([
      ": comment\nda", "ta: a\r", "\ndata:b\n\n", "event: x\nid: 7\n\n", "data\n\n", "retry: 5\ndata: c\r\r", "data: lost",
    ])],
  );
  const results = {};
  // A browser opens at most six connections to a server.
  const lane = async () => {
    for (let next = scenarios.shift(); next !== undefined; next = scenarios.shift()) results[next[0]] = await next[1]();
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
  return results;
}
