import { expect, test } from "vitest";
import type { Recorded, RunEvent } from "../../log/run-event.ts";
import { emptyView, foldView } from "../../log/run-view.ts";
import { runModel } from "./build-model.ts";

const second = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString();

/** One event a second. */
function modelOf(facts: readonly RunEvent[], owner: number | null = null) {
  const events = facts.map((event, index): Recorded => ({ ...event, seq: index + 1, at: second(index) }));
  return runModel({ view: foldView(emptyView("r1"), events), events, owner });
}

function issued(type: string, key: string, more: object): RunEvent {
  const [path = ""] = key.split("#");
  const command = {
    type,
    key,
    path,
    frame: "main",
    state: path,
    counters: {},
    round: 0,
    causes: [],
    ...more,
  };
  return { type: "command.issued", key, command };
}

const judged = (key: string, verdict: "pass" | "fail"): RunEvent => ({
  type: "gate.judged",
  key,
  gate: "green",
  verdict,
  ref: "",
  reasons: verdict === "pass" ? [] : ["one test fails"],
  findings: [],
});

const green = { phase: "7 TDD_GREEN" };

test("a phase has the attempts, times and state of its steps, and a gate each verdict", () => {
  const { phases, gates, steps } = modelOf([
    issued("dispatch", "green#1", { ...green, role: "coder" }),
    { type: "result", key: "green#1", outcome: "GC" },
    issued("check", "check#1", { ...green, gate: "green" }),
    judged("check#1", "fail"),
    { type: "result", key: "check#1", outcome: "fail" },
    issued("dispatch", "green#2", { ...green, role: "coder" }),
    { type: "result", key: "green#2", outcome: "GC" },
    issued("check", "check#2", { ...green, gate: "green" }),
    judged("check#2", "pass"),
    { type: "result", key: "check#2", outcome: "pass" },
  ]);
  expect(phases).toMatchObject([
    {
      name: "7 TDD_GREEN",
      place: null,
      state: "done",
      attempts: 2,
      agentMs: 2000,
      gateMs: 4000,
      personMs: 0,
    },
  ]);
  expect(gates).toMatchObject([
    { gate: "green", attempts: [{ verdict: "fail", reasons: ["one test fails"] }, { verdict: "pass" }] },
  ]);
  expect(steps.map(({ key, attempt, verdict }) => [key, attempt, verdict])).toEqual([
    ["green#1", 1, null],
    ["check#1", 1, "fail"],
    ["green#2", 2, null],
    ["check#2", 2, "pass"],
  ]);
});

test("an open step runs while a process drives the run, else it is stopped; an ask waits; a cancelled one is over", () => {
  const open = [
    issued("dispatch", "green#1", { ...green, role: "coder" }),
    { type: "agent.nudged", key: "green#1", nudge: 1 },
  ] as const;
  expect(modelOf(open, 7).phases).toMatchObject([{ state: "running", endedAt: null, agentMs: 1000 }]);
  expect(modelOf(open).phases).toMatchObject([{ state: "stopped", endedAt: null }]);
  const ask = issued("ask", "plan#1", {
    phase: "4",
    text: "Approve the plan",
    to: "person",
    as: "waiting",
    shows: [],
    answers: ["approve"],
  });
  const waits = modelOf([ask]);
  expect(waits.phases).toMatchObject([{ state: "waiting" }]);
  expect(waits.asks).toMatchObject([{ key: "plan#1", text: "Approve the plan", since: second(0) }]);
  const cancelled = modelOf([...open, issued("cancel", "cancel/green#1", { target: "green#1" })], 7);
  expect(cancelled.phases).toMatchObject([{ state: "cancelled", agentMs: 0 }]);
});

test("a gate of riper is part of the phase that it judges, in its cycle", () => {
  const cycle = { frame: "cycles/C1", mode: "Ω₅ᵀ" };
  const { phases } = modelOf([
    issued("dispatch", "design#1", { mode: "Ω₁ᴾ", role: "designer" }),
    issued("dispatch", "red#1", { ...cycle, phase: "ℜ", role: "qa" }),
    issued("check", "red_gate#1", { ...cycle, gate: "cycle_red" }),
  ]);
  expect(phases.map(({ name, place, words, steps }) => ({ name, place, words, steps }))).toEqual([
    { name: "Ω₁ᴾ", place: null, words: "architecture and module design", steps: ["design#1"] },
    { name: "Ω₅ᵀ ℜ", place: "C1", words: "QA writes failing tests", steps: ["red#1", "red_gate#1"] },
  ]);
});

test("an event of a later version is ignored, and equal journals give equal models", () => {
  const later = { type: "moon.rose" } as unknown as RunEvent;
  const facts = [issued("dispatch", "green#1", { ...green, role: "coder" }), later];
  expect(modelOf(facts)).toEqual(modelOf(facts));
  expect(modelOf(facts).seq).toBe(2);
});

test("what people decided is in the order in which it happened, with who did it and by which way", () => {
  const by = { answeredBy: "page", authenticated: true, who: "hana" } as const;
  const { answers } = modelOf([
    { type: "run.paused", by },
    issued("ask", "plan#1", { text: "Approve the plan", answers: ["approve"] }),
    { type: "result", key: "plan#1", outcome: "approve", by },
    { type: "run.resumed", by, text: "Use words.js" },
    { type: "node.aborted", node: "receipt--parse", frame: "x", reason: "not needed", by },
    { type: "run.aborted", reason: "enough" },
  ]);
  expect(answers.map((one) => `${one.ask}: ${one.outcome} ${one.text} by ${one.by}`)).toEqual([
    "the run: pause  by hana (page)",
    "Approve the plan: approve  by hana (page)",
    "the run: go on Use words.js by hana (page)",
    "node receipt--parse: end not needed by hana (page)",
    "the run: end enough by a person",
  ]);
});
