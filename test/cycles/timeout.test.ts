/**
 * A run of dptr whose QA hangs in RED, with a child process that keeps writing: the deadline ends both (TDP-42).
 * @module-tag ci
 */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, expect } from "vitest";
import { ActiveState } from "../../src/memory/bank/active-state.ts";
import { callIn } from "../cli/here.ts";
import { eventsOf, type DriveResult, type World } from "../orchestrate/world.ts";
import { verifies } from "../verifies.ts";
import { createCyclesWorld, dispatchLines, goCycles, oneCycle } from "./world.ts";

const idleMs = 3000;
let world: World;
let driven: DriveResult;
let tookMs = 0;
/** The child's output file, outside of every workspace. */
let ticks = "";

beforeAll(async () => {
  world = await createCyclesWorld({ "mettle.yaml": "version: 1\ndeadlines: { idle: 3s }\n" });
  ticks = join(world.home, "ticks");
  const cassette = await oneCycle();
  const child = `setsid sh -c 'while :; do echo tick >> "${ticks}"; echo half >> test/half.test.js; sleep 0.1; done' >/dev/null 2>&1 &`;
  cassette.roles.qa = [
    {
      does: [{ shell: child }, { write: { path: "test/slugify.test.js", content: "1;\n" } }, { hang: true }],
    },
  ];
  cassette.roles.reviewer = [{ expects: ["Cycle 1 failed in ℜ: TO"], report: { status: "APPROVED" } }];
  driven = await goCycles(world, "dptr", cassette);
  const [begun] = eventsOf(driven.events, "dispatch.started").filter(({ role }) => role === "qa");
  const over = eventsOf(driven.events, "result").find(({ outcome }) => outcome === "TO");
  tookMs = Date.parse(over?.at ?? "") - Date.parse(begun?.at ?? "");
});

verifies(
  "TDP-42",
  "the agent and its child are gone within the deadline and ten seconds, and it counts as TO",
  async () => {
    expect(tookMs).toBeGreaterThan(idleMs - 500);
    expect(tookMs).toBeLessThan(idleMs + 10_000);
    const { size } = await stat(ticks);
    expect(size).toBeGreaterThan(20);
    await pause(600);
    expect((await stat(ticks)).size).toBe(size);
    expect(dispatchLines(driven.events).slice(-2)).toEqual(["QA[S{sid},R0,C1,P:ℜ]", "Ω₆ⱽ[]"]);
  },
);

verifies("TDP-42", "its work is kept", async () => {
  const [kept] = eventsOf(driven.events, "work.rescued");
  expect(kept?.reason).toContain("the agent ended with TO");
  const names = await world.repository.git("ls-tree", "-r", "--name-only", kept?.ref ?? "");
  expect(names.split("\n")).toEqual(expect.arrayContaining(["test/half.test.js", "test/slugify.test.js"]));
});

verifies("TDP-29", "an abort leaves no agent at work and reports the failure", async () => {
  expect((await callIn(world, ["abort", driven.run])).code).toBe(1);
  const { runs } = (await callIn(world, ["status", driven.run, "--json"])).json() as {
    runs: { state: unknown }[];
  };
  expect(ActiveState.parse(runs[0]?.state)).toMatchObject({
    tdd_mode: false,
    qa_agent_active: false,
    de_agent_active: false,
    failure_analysis: { class: "AGENT_FAILURE", cause: "TO", phase: "ℜ" },
  });
});
