/**
 * A decision that names no run, while several runs wait for it.
 * @module-tag ci
 */
import { beforeAll, expect, test } from "vitest";
import { createWorld, eventsOf, golden, type World } from "../orchestrate/world.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { hooksIn } from "../hooks/session.ts";
import { callIn } from "./here.ts";

let world: World;
const runs: string[] = [];
beforeAll(async () => {
  world = await createWorld();
  for (const task of ["first", "second"]) {
    const agent = await world.agent(await golden());
    const started = await callIn(world, ["run", `@orchestrate ${task}`, "--agent", agent, "--json"]);
    runs.push(String(started.json()["run"]));
  }
  const answers = ["Q1", "Q2", "Q3", "Q4", "Q5"].map((id) => `${id}=yes`);
  for (const run of runs) expect((await callIn(world, ["answer", run, ...answers])).code).toBe(3);
});

const decided = async () => {
  const events = await Promise.all(runs.map((run) => world.host.journal.read(run)));
  return events.map((all) =>
    eventsOf(all.map(recorded), "result").flatMap(({ key, outcome }) =>
      key === "user_gate_plan#1" ? [outcome] : [],
    ),
  );
};

test("is refused with the possible runs, and applied if there is only one (fault L5)", async () => {
  const [first = "", second = ""] = runs;
  for (const line of [["approve"], ["reject", "--reason", "x"]]) {
    const { code, stderr } = await callIn(world, line);
    expect([code, stderr.split("\n")[0]]).toEqual([
      2,
      `error[usage]: 2 runs wait for that: ${first} (first), ${second} (second)`,
    ]);
  }
  await hooksIn(world).hook("UserPromptSubmit", { prompt: "@orchestrate x", session_id: "s1" });
  const typed = await hooksIn(world).hook("UserPromptSubmit", { prompt: "approve", session_id: "s1" });
  expect(typed.context).toContain(`2 runs wait for that: ${first} (first), ${second} (second)`);
  expect(await decided()).toEqual([[], []]);
  await callIn(world, ["reject", second, "--reason", "x"]);
  await callIn(world, ["abort", second]);
  // The newest run is the other one, which waits for nothing.
  await callIn(world, ["reject", "--reason", "name the file"]);
  expect(await decided()).toEqual([["reject"], ["reject"]]);
});
