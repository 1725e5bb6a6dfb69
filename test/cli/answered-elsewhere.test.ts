/**
 * A person sits at a prompt while others answer: the prompt ends by itself, says who was first, and the run goes on.
 * @module-tag ci
 */
import { beforeAll, expect, test } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { createWorld, eventsOf, golden, type World } from "../orchestrate/world.ts";
import { hasScript, openTerminal } from "../support/terminal.ts";
import { callIn } from "./here.ts";

let world: World;
let run = "";
beforeAll(async () => {
  if (!hasScript) return;
  world = await createWorld();
  const agent = await world.agent(await golden());
  run = String((await callIn(world, ["run", "@orchestrate x", "--agent", agent, "--json"])).json()["run"]);
});

test.skipIf(!hasScript)(
  "each prompt of a terminal ends when another terminal answers, and nothing typed half counts",
  async () => {
    const { dir: cwd } = world.repository;
    const words = [process.execPath, packageRoot("dist/bin/mettle.cjs"), "resume", run];
    const terminal = openTerminal(words, { cwd, env: world.env });
    await terminal.shows("Enter: later");
    terminal.type("half of an ans");
    expect((await callIn(world, ["answer", run, "Q1=yes"])).code).toBe(0);
    const began = performance.now();
    await terminal.shows("(file) answered Q1");
    expect(performance.now() - began).toBeLessThan(3_000);
    // The next question is asked; then all are answered.
    await terminal.shows("Enter: later");
    const rest = ["Q2", "Q3", "Q4", "Q5"].map((id) => `${id}=yes`);
    expect((await callIn(world, ["answer", run, ...rest])).code).toBe(0);
    await terminal.shows("(file) answered");
    await terminal.shows("decide later");
    terminal.type("ye");
    expect((await callIn(world, ["approve", run])).code).toBe(0);
    await terminal.shows("(file) answered: approve");
    expect((await callIn(world, ["abort", run, "--reason", "enough"])).code).toBe(1);
    expect([await terminal.ended(), terminal.screen()]).toEqual([1, expect.stringContaining("enough")]);

    const events = (await world.host.journal.read(run)).map(recorded);
    expect(eventsOf(events, "question.answered").map(({ id, text }) => `${id} ${text}`)).toEqual(
      ["Q1", "Q2", "Q3", "Q4", "Q5"].map((id) => `${id} yes`),
    );
    expect(eventsOf(events, "result").filter(({ by }) => by !== undefined)).toMatchObject([
      { outcome: "answered", by: { answeredBy: "file" } },
      { outcome: "approve", by: { answeredBy: "file" } },
    ]);
  },
  180_000,
);
