// Follows a match of a real server from its list to its end.

import { ScoreClient } from "/score.js";

export async function run(api) {
  const client = new ScoreClient(api);
  let match;
  while (match === undefined) {
    const page = await client.matches({ limit: 10 }).catch(() => ({ items: [] }));
    match = page.items[0]?.id;
    if (match === undefined) await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const seen = { match, epochs: [], revisions: [], connections: [], lines: [], end: null };
  await fetch("/following", { method: "POST" });
  for await (const event of client.watch(match)) {
    if (event.type === "connection") seen.connections.push(event.state);
    if (event.type === "end") seen.end = event.result;
    if (event.type !== "state") continue;
    seen.epochs.push(event.epoch);
    seen.revisions.push(event.rev);
    seen.lines.push(event.display.lockScreen.line);
    if (seen.revisions.length === 5) await fetch("/shown", { method: "POST" });
  }
  seen.last = (await client.match(match)).rev;
  return seen;
}
