import { describe, expect, test } from "vitest";
import { inCi, verifies, verifiesInCi } from "../../test/verifies.ts";
import type { Command } from "./command.ts";
import { explore, type Monitor } from "../testing/explore.ts";
import { at, golden, orchestrate } from "./fixtures/orchestrate.ts";
import { withEveryLimit } from "./fixtures/protocols.ts";

const mainMachine = orchestrate.machines["main"];
const phaseNumber = (command: Pick<Command, "phase">): number =>
  Number(command.phase?.split(" ")[0] ?? Number.NaN);

describe("the phases of orchestrate", () => {
  verifies("ORC-06", "are these ten in this order on the golden path", () => {
    const run = at("end");
    const phases = run.commands.flatMap((command) => (command.type === "finish" ? [] : [command.phase]));
    expect(phases.filter((phase, index) => phase !== phases[index - 1])).toEqual([
      "1 INTAKE",
      "2 PLANNING",
      "3 PLAN_DUAL_REVIEW",
      "4 USER_GATE_PLAN",
      "5 TDD_RED",
      "6 TEST_DUAL_REVIEW",
      "7 TDD_GREEN",
      "8 CODE_DUAL_REVIEW",
      "9 USER_GATE_CODE",
      "10 SUMMARY",
    ]);
    expect(run.latest()).toEqual([expect.objectContaining({ type: "finish", outcome: "complete" })]);
  });

  /** Tracks the highest phase entered, and reports a phase whose predecessor was never entered. */
  const inOrder: Monitor = {
    start: "0",
    next: (memory, { step }) => {
      const entered = step.commands
        .filter((command) => command.type !== "cancel" && command.type !== "finish")
        .map(phaseNumber);
      const highest = Math.max(Number(memory), ...entered.filter((phase) => !Number.isNaN(phase)));
      const skips = highest > Number(memory) + 1;
      return { memory: String(highest), ...(skips && { fault: `phase ${highest} after ${memory}` }) };
    },
  };

  /** Only the outcome that completes a phase leads to a higher one. */
  const completing: Readonly<Record<string, string>> = {
    spec_check: "pass",
    plan_check: "pass",
    plan_gate: "pass",
    plan_approved: "pass",
    red_check: "pass",
    test_gate: "pass",
    green_check: "pass",
    code_gate: "pass",
    code_approved: "pass",
  };
  const byCompletion: Monitor = {
    start: "",
    next: (memory, { command, outcome, step }) => {
      const now = command ? phaseNumber(command) : 0;
      const higher = step.commands.some((next) => next.type !== "cancel" && phaseNumber(next) > now);
      if (!command || !higher || completing[command.state] === outcome) return { memory };
      const isReturn = returns.has(`${command.state} ${outcome}`);
      return isReturn
        ? { memory }
        : { memory, fault: `${command.path} ${outcome} leads from phase ${now} upwards` };
    },
  };
  /** Results of a dispute: the implementer's tests are judged again, or kept. */
  const returns = new Set(["disputed test-right"]);

  verifiesInCi(
    "ORC-06",
    "are never skipped, and a higher one is entered only after completion, for all answers",
    () => {
      const walk = explore(withEveryLimit(orchestrate, 1), {
        maxStates: 50_000,
        monitors: [inOrder, byCompletion],
      });
      expect(walk.cut).toBe(false);
      expect(walk.faults).toEqual([]);
      expect(walk.states).toBeGreaterThan(500);
    },
    300_000,
  );
});

describe("the gates of orchestrate", () => {
  const gates = ["plan_review", "test_review", "code_review"] as const;
  const closing = { plan_review: "plan_gate", test_review: "test_gate", code_review: "code_gate" } as const;

  /**
   * Tracks who accepted at the current gate: `claude`, `gemini`, or `exception` for Gemini's recorded silence.
   * A gate's closing check may follow a review only when both are present.
   */
  const reviewed: Monitor = {
    start: "",
    next: (memory, { command, outcome, step }) => {
      const [review = "", reviewer] = command?.path.split("/") ?? [];
      const isReview = reviewer !== undefined && gates.some((gate) => gate === review);
      const begins = !isReview && step.commands.some((next) => next.path.endsWith("_review/gemini/gemini"));
      const accepted = new Set(begins || memory === "" ? [] : memory.split(","));
      if (isReview && command?.type === "dispatch" && outcome === "APPROVED") accepted.add(reviewer);
      const isSilent = reviewer === "gemini" && ["TO", "EX.empty"].includes(outcome);
      const asksAgain = step.commands.some((next) => next.path.startsWith(`${review}/gemini/`));
      const isRecorded = step.state.frames["main"]?.facts["single_reviewer"] === true;
      if (isReview && isSilent && !asksAgain && isRecorded) accepted.add("exception");
      const opened =
        isReview && step.commands.some((next) => Object.values(closing).some((name) => name === next.path));
      const isAccepted = accepted.has("claude") && (accepted.has("gemini") || accepted.has("exception"));
      const after = [...accepted].toSorted().join();
      return { memory: after, ...(opened && !isAccepted && { fault: `a gate opened on: ${after}` }) };
    },
  };

  verifies(
    "ORC-13",
    "open only on both verdicts, or on the recorded exception, in every reachable state",
    () => {
      expect(gates.map((gate) => Object.keys(parallelOf(gate)))).toEqual([
        ["gemini", "claude"],
        ["gemini", "claude"],
        ["gemini", "claude"],
      ]);
      const walk = explore(withEveryLimit(orchestrate, 1), { maxStates: 50_000, monitors: [reviewed] });
      expect(walk.faults).toEqual([]);
      expect(walk.cut).toBe(false);
      expect(walk.states).toBeGreaterThan(500);
    },
    300_000,
  );

  inCi("are reported to open on less if a protocol joins in the other order or asks no person", () => {
    const { plan_review: plan } = mainMachine?.states ?? {};
    if (plan?.kind !== "parallel" || !mainMachine) throw new Error("plan_review is no parallel");
    const opened = (join: readonly string[], on: typeof plan.on) => {
      const states = { ...mainMachine.states, plan_review: { ...plan, join, on } };
      const broken = { ...orchestrate, machines: { main: { ...mainMachine, states } } };
      const walk = explore(withEveryLimit(broken, 1), { maxStates: 1_000, monitors: [reviewed] });
      return new Set(walk.faults.map((fault) => fault.what));
    };
    const { APPROVED } = plan.on;
    if (!APPROVED) throw new Error("plan_review has no route for APPROVED");
    expect(opened(plan.join, plan.on)).toEqual(new Set());
    expect(opened(plan.join.toReversed(), plan.on)).toContain("a gate opened on: claude");
    expect(opened(plan.join, { ...plan.on, SKIPPED: APPROVED, NEEDS_WORK: APPROVED })).toContain(
      "a gate opened on: exception",
    );
  });

  verifies("ORC-13", "are the only way to the phase after them", () => {
    for (const gate of gates) {
      const run = at(`${gate}/gemini/gemini`);
      const after = phaseNumber(run.latest()[0] ?? {}) + 1;
      const others = explore(withEveryLimit(orchestrate, 1), {
        maxStates: 50_000,
        tries: (command, outcome) => !(command.state === closing[gate] && outcome === "pass"),
        monitors: [
          {
            start: "",
            next: (memory, { step }) => ({
              memory,
              ...(step.commands.some((next) => phaseNumber(next) === after) && { fault: `phase ${after}` }),
            }),
          },
        ],
      });
      expect(others.faults).toEqual([]);
      expect(others.cut).toBe(false);
      expect(others.states).toBeGreaterThan(50);
    }
  });

  verifies("ORC-75", "stop the run at the third NEEDS_WORK, each with its own count", () => {
    for (const [gate, counter] of [
      ["plan_review", "gate1"],
      ["test_review", "gate2"],
      ["code_review", "gate3"],
    ] as const) {
      const run = at(`${gate}/gemini/gemini`);
      const review = (outcome: string): void => {
        run.answer("gemini", outcome);
        run.answer("claude", "APPROVED");
      };
      const again = (): void => {
        while (!run.open().some((path) => path.startsWith(gate))) {
          const step = golden.find(([path]) => path === run.open()[0]);
          run.answer(step?.[0] ?? "nothing", step?.[1] ?? "nothing");
        }
      };
      for (const expected of [2, 3]) {
        review("NEEDS_WORK");
        expect(run.latest()[0]?.counters[counter]).toEqual({ value: expected, limit: 3 });
        again();
      }
      review("NEEDS_WORK");
      expect(run.latest()).toEqual([
        expect.objectContaining({
          type: "ask",
          as: "escalated",
          text: "REVIEW LOOP EXCEEDED",
          trip: { counter, value: 3, limit: 3 },
        }),
      ]);
      expect(run.open()).toEqual(["review_loop"]);
    }
  });

  verifies("ORC-75", "have separate counts: two at gate 1 leave gate 2 at its first review", () => {
    const run = at("plan_review/gemini/gemini");
    for (const _ of [1, 2]) {
      run.answer("gemini", "NEEDS_WORK");
      run.answer("claude", "NEEDS_WORK");
      run.answer("planning", "WRITTEN");
      run.answer("plan_check", "pass");
    }
    for (const [path, outcome] of golden.slice(4, 11)) run.answer(path, outcome);
    const { gate1, gate2, gate3 } = run.latest()[0]?.counters ?? {};
    expect([gate1?.value, gate2?.value, gate3?.value]).toEqual([3, 1, 1]);
    run.answer("gemini", "NEEDS_WORK");
    run.answer("claude", "NEEDS_WORK");
    expect(run.open()).toEqual(["red"]);
    expect(run.latest()[0]?.counters["gate2"]).toEqual({ value: 2, limit: 3 });
  });

  test("let Gemini be silent twice, but not Claude, and not both", () => {
    const silent = at("plan_review/gemini/gemini");
    silent.answer("gemini", "EX.empty");
    expect(silent.open()).toEqual(["plan_review/claude/claude", "plan_review/gemini/gemini"]);
    silent.answer("gemini", "TO");
    expect(silent.state().frames["main"]?.facts).toEqual({ single_reviewer: true });
    silent.answer("claude", "APPROVED");
    expect(silent.open()).toEqual(["plan_gate"]);

    const refused = at("plan_review/gemini/gemini");
    refused.answer("gemini", "TO");
    refused.answer("gemini", "TO");
    refused.answer("claude", "NEEDS_WORK");
    expect(refused.open()).toEqual(["planning"]);

    const both = at("plan_review/gemini/gemini");
    for (const path of ["gemini", "gemini", "claude", "claude"]) both.answer(path, "TO");
    expect(both.latest()).toEqual([
      expect.objectContaining({ type: "ask", state: "paused", as: "inconclusive" }),
    ]);
    both.answer("paused", "resume");
    expect(both.open()).toEqual(["plan_review/claude/claude"]);
  });
});

function parallelOf(name: string): Readonly<Record<string, unknown>> {
  const state = mainMachine?.states[name];
  return state?.kind === "parallel" ? state.regions : {};
}
