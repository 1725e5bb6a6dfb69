/**
 * The last review requests changes: each of the three printed commands works.
 * @module-tag ci
 */
import { beforeAll, describe, expect, test } from "vitest";
import { callIn } from "../cli/here.ts";
import { eventsOf, type CliResult, type World } from "../orchestrate/world.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { createCyclesWorld, goCycles, oneCycle } from "./world.ts";

describe.each(["riper", "dptr"] as const)("%s: NEEDS_CHANGE of the last review", (protocol) => {
  let world: World;
  let run = "";
  let waits: CliResult;
  let revised: CliResult;
  let approved: CliResult;
  beforeAll(async () => {
    world = await createCyclesWorld();
    const cassette = await oneCycle();
    const { planner } = cassette.roles;
    const needs = (finding: string) => ({
      report: { status: "NEEDS_CHANGE", message: "not as planned", payload: { findings: [finding] } },
    });
    cassette.roles.reviewer = [needs("S1 has no limit"), needs("I1 is slow")];
    cassette.roles.planner = [...planner.slice(0, 1), ...planner.slice(0, 1)];
    cassette.roles.plan_critic = [{ report: { status: "PA", message: "agreed" }, repeat: true }];
    run = (await goCycles(world, protocol, cassette)).run;
    waits = await callIn(world, ["status", run]);
    revised = await callIn(world, ["answer", run, "revise"]);
    approved = await callIn(world, ["approve", run]);
  });

  test("shows the findings, the commit and a command for each answer, the recommended one first (fault D2)", () => {
    expect(waits.stdout).toContain("  - S1 has no limit");
    const at = (command: string) => waits.stdout.indexOf(`mettle ${command}`);
    expect(at(`answer ${run} revise`)).toBeGreaterThan(-1);
    expect(at(`approve ${run}`)).toBeGreaterThan(at(`answer ${run} revise`));
    expect(at(`reject ${run} --reason "…"`)).toBeGreaterThan(at(`approve ${run}`));
  });

  test("revise makes a new plan and returns to the review", () => {
    expect([revised.code, revised.stdout]).toEqual([3, expect.stringContaining("  - I1 is slow")]);
  });

  test("approve accepts the work, bound to the commit that was shown", async () => {
    expect([approved.code, approved.stderr]).toEqual([0, ""]);
    const events = (await world.host.journal.read(run)).map(recorded);
    const shown = eventsOf(events, "ask.shown").at(-1);
    const head = eventsOf(events, "head.moved").at(-1)?.commit;
    expect(shown?.shown).toMatchObject({ commit: head });
    expect(waits.stdout).toContain(head?.slice(0, 12));
  });
});
