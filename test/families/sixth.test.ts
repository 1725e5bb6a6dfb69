/** A sixth family drives a run with its own gate, prompt and view, without changes elsewhere (ADR 0019). */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { familiesOf, shipped } from "../../src/families/families.ts";
import { presentAsk } from "../../src/engine/asks/present.ts";
import { openAsks } from "../../src/log/open-asks.ts";
import { answerNone, createWorld, eventsOf, untestedFiles } from "../orchestrate/world.ts";
import { haiku } from "./haiku/family.ts";

test("a family of one folder and one line drives a run with its own gate, prompt and view", async () => {
  const files = {
    ...(await untestedFiles()),
    ".mettle/protocols/haiku.yaml": await readFile(new URL("haiku/protocol.yaml", import.meta.url), "utf8"),
    ".mettle/templates/poet.md": "---\nrole: poet\ntools: []\n---\n{{task}}\n",
  };
  const world = await createWorld(files, {}, familiesOf([...shipped, haiku]));

  const done = (message: string) => ({ does: [], report: { status: "DONE", message } });
  const poems = [done("an old pond / a frog jumps in"), done("an old pond / a frog jumps in / splash")];
  const cassette = { version: 1, kind: "cassette", roles: { poet: poems } };
  const options = { protocol: "haiku", task: "a frog" };
  const { run, end, context, events } = await world.go(cassette as never, answerNone, options);

  expect(end.type).toBe("waiting");
  expect(eventsOf(events, "gate.judged").map(({ gate, verdict }) => [gate, verdict])).toEqual([
    ["three_lines", "fail"],
    ["three_lines", "pass"],
  ]);
  const prompts = eventsOf(events, "dispatch.started").map(({ prompt }) =>
    context.payloads.text(prompt ?? ""),
  );
  expect((await Promise.all(prompts))[0]).toMatch(/^Write a haiku: a frog/u);
  const [ask] = openAsks(context.session.view);
  if (ask === undefined) throw new Error("nobody is asked");
  expect(await presentAsk(context, ask)).toBe(
    "Is it a poem?\n  ~ an old pond\n  ~ a frog jumps in\n  ~ splash",
  );

  const answered = await world.drive(run, () => Promise.resolve({ outcome: "yes" }));
  expect(answered.end).toMatchObject({ type: "ended", outcome: "complete" });
});
