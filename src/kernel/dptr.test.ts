import { describe, expect, test } from "vitest";
import { play, type Play } from "./fixtures/play.ts";
import { protocolNamed } from "./fixtures/protocols.ts";
import { waitingAsks } from "./inspect.ts";

const items = (...ids: readonly string[]) => ids.map((id) => ({ id, hash: id }));
const answers = (run: Play, steps: readonly (readonly [string, string])[]) => {
  for (const [path, outcome] of steps) run.answer(path, outcome);
};

describe("dptr", () => {
  const cycle = [
    ["red", "RC"],
    ["red_gate", "pass"],
    ["green", "GC"],
    ["green_gate", "pass"],
    ["test", "RTC"],
    ["qa_validation", "pass"],
    ["impl", "RIC"],
    ["de_validation", "pass"],
    ["de_review", "APPROVED"],
    ["qa_review", "NEEDS_CHANGE"],
    ["integration_test", "pass"],
  ] as const;
  const planned = () => {
    const run = play(protocolNamed("dptr"));
    run.answer("design", "PC", { items: items("store") });
    run.answer("audit/store/critic", "ACCEPT");
    run.answer("plan", "PC", { items: items("1", "2") });
    run.answer("critic", "NR");
    run.answer("replan", "PR", { items: items("1", "2") });
    run.answer("critic", "PA");
    return run;
  };

  test("opens a dialogue for the plan and one for each cycle, and counts the rounds in each", () => {
    const run = planned();
    const lines = run.commands.map(({ path, session, round }) => [path, session, round]);
    expect(lines.slice(3)).toEqual([
      ["plan", "PLAN_t3", 0],
      ["critic", "PLAN_t3", 0],
      ["replan", "PLAN_t3", 1],
      ["critic", "PLAN_t3", 1],
      ["cycles/1", "PLAN_t3", 1],
      ["cycles/1/red", "TDD_t7_1", 0],
    ]);
  });

  test("runs all three reviews before the gate, and notes each in the round before the count", () => {
    const run = planned();
    answers(run, cycle);
    expect(run.open()).toEqual(["cycles/1/test"]);
    expect(run.latest()[0]?.causes.map((cause) => cause.outcome)).toEqual([
      "APPROVED",
      "NEEDS_CHANGE",
      "pass",
    ]);
    expect(run.notes.map((note) => [note.round, note.text])).toEqual([
      [0, "{task} phase:RED"],
      [0, "phase:GREEN"],
      [1, "REFACTOR phase started"],
      [1, "QA refactor complete"],
      [2, "DE refactor complete"],
      [3, "DE review of tests: APPROVED"],
      [4, "QA review of impl: NEEDS_CHANGE"],
      [5, "Test results: pass"],
      [6, "Need another iteration"],
    ]);
  });

  test("keeps finished cycles when a failed one is repeated", () => {
    const run = planned();
    const good = [
      ...cycle.slice(0, 9),
      ["qa_review", "APPROVED"],
      ["integration_test", "pass"],
      ["interface_check", "pass"],
    ] as const;
    answers(run, good);
    expect(run.open()).toEqual(["cycles/2/red"]);
    answers(run, [
      ["red", "RC"],
      ["red_gate", "fail"],
    ]);
    expect(waitingAsks(run.state()).map((ask) => ask.state)).toEqual(["quality"]);
    run.answer("quality", "context");
    expect(run.open()).toEqual(["cycles/2~2/red"]);
    answers(run, [...good, ["suite", "pass"], ["review", "APPROVED"]]);
    expect(run.latest()).toEqual([expect.objectContaining({ type: "finish", outcome: "complete" })]);
    expect(
      run.commands.filter((command) => command.type === "spawn").map((command) => command.child),
    ).toEqual(["audit/store", "cycles/1", "cycles/2", "cycles/2~2"]);
  });

  test("returns to the audit when the design changes during planning", () => {
    const run = play(protocolNamed("dptr"));
    run.answer("design", "PC", { items: items("store") });
    run.answer("audit/store/critic", "ACCEPT");
    run.send({ type: "signal", event: "design_changed" });
    run.answer("plan", "PC", { items: items("1"), list: "cycles" });
    expect(run.open()).toEqual(["audit/store~2/critic"]);
  });
});
