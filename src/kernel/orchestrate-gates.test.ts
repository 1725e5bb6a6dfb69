import { describe, expect, test } from "vitest";
import { verifies } from "../../test/verifies.ts";
import type { Command } from "./command.ts";
import { explore, type Monitor } from "./explore.ts";
import { at, golden, orchestrate } from "./fixtures/orchestrate.ts";
import { withEveryLimit } from "./fixtures/protocols.ts";

const mainMachine = orchestrate.machines["main"];
const phaseNumber = (command: Pick<Command, "phase">): number =>
  Number(command.phase?.split(" ")[0] ?? Number.NaN);

describe("the phases of orchestrate", () => {
  verifies("ORC-06", "are these ten in this order on the golden way", () => {
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

  /** Remembers the highest phase entered, and that nothing enters a phase whose predecessor never was. */
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

  /** A phase is left upwards only by the outcome that completes it. */
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
  /** Ways of a dispute: the implementer's tests are judged again, or stand. */
  const returns = new Set(["disputed test-right"]);

  verifies(
    "ORC-06",
    "are never skipped, and left upwards only when they are complete, whatever anybody answers",
    () => {
      const walk = explore(withEveryLimit(orchestrate, 1), {
        most: 50_000,
        monitors: [inOrder, byCompletion],
      });
      expect(walk.cut).toBe(false);
      expect(walk.faults).toEqual([]);
      expect(walk.states).toBeGreaterThan(500);
    },
  );
});

describe("the gates of orchestrate", () => {
  const gates = ["plan_review", "test_review", "code_review"] as const;
  const closing = { plan_review: "plan_gate", test_review: "test_gate", code_review: "code_gate" } as const;

  /** What each reviewer of the gate in hand last said, and whether the exception was recorded. */
  const reviewed: Monitor = {
    start: ";",
    next: (memory, { command, outcome, step }) => {
      const [before = "", gate = ""] = memory.split(";");
      const [review, reviewer] = command?.path.split("/") ?? [];
      const isReview = gates.some((each) => each === review) && reviewer !== undefined;
      const isEntered =
        step.commands.some(
          (next) => next.path.endsWith("_review/gemini/gemini") && next.key !== command?.key,
        ) && !isReview;
      const kept = isEntered ? "" : before;
      const skipped =
        isReview &&
        command?.state === "gemini" &&
        step.state.frames["main"]?.facts["single_reviewer"] === true;
      const said = !isReview
        ? kept
        : outcome === "APPROVED"
          ? `${kept}${reviewer}+`
          : skipped
            ? `${kept}gemini?`
            : kept;
      const opened = step.commands.find(
        (next) => Object.values(closing).some((state) => state === next.state) && next.path !== command?.path,
      );
      const memoryAfter = `${said};${opened && command?.type === "dispatch" ? opened.state : gate}`;
      const isAccepted = said.includes("claude+") && (said.includes("gemini+") || said.includes("gemini?"));
      if (opened && command?.type === "dispatch" && !isAccepted)
        return { memory: memoryAfter, fault: `${opened.state} opened on ${said}` };
      return { memory: memoryAfter };
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
      const walk = explore(withEveryLimit(orchestrate, 1), { most: 50_000, monitors: [reviewed] });
      expect(walk.faults).toEqual([]);
      expect(walk.cut).toBe(false);
    },
  );

  test("would be seen to open on one verdict, where a protocol joined the other way round", () => {
    const { plan_review: plan } = mainMachine?.states ?? {};
    if (plan?.kind !== "parallel" || !mainMachine) throw new Error("plan_review is no parallel");
    const states = { ...mainMachine.states, plan_review: { ...plan, join: plan.join.toReversed() } };
    const broken = { ...orchestrate, machines: { main: { ...mainMachine, states } } };
    const walk = explore(withEveryLimit(broken, 1), { most: 2_000, monitors: [reviewed] });
    expect(walk.faults[0]?.what).toMatch(/^plan_gate opened on /u);
  });

  verifies("ORC-13", "are the only way to the phase after them", () => {
    for (const gate of gates) {
      const run = at(`${gate}/gemini/gemini`);
      const after = phaseNumber(run.latest()[0] ?? {}) + 1;
      const others = explore(withEveryLimit(orchestrate, 1), {
        most: 50_000,
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

  verifies("ORC-75", "stop the run at the third NEEDS_WORK, each counting for itself", () => {
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

  verifies("ORC-75", "do not count for one another: two at gate 1 leave gate 2 at its first review", () => {
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
