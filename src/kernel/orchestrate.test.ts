import { describe, expect, test } from "vitest";
import { verifies } from "../../test/verifies.ts";
import type { Command } from "./command.ts";
import { explore, type Monitor } from "./explore.ts";
import { play, type Play } from "./fixtures/play.ts";
import { protocolNamed, withEveryLimit } from "./fixtures/protocols.ts";
import { faultsOf, notTogether, provenComplete } from "./invariants.ts";
import { withLimits } from "./limits.ts";

const orchestrate = protocolNamed("orchestrate");
const mainMachine = orchestrate.machines["main"];

/** The shortest good way, in its order. */
const golden = [
  ["intake", "WRITTEN"],
  ["spec_check", "pass"],
  ["planning", "WRITTEN"],
  ["plan_check", "pass"],
  ["plan_review/gemini/gemini", "APPROVED"],
  ["plan_review/claude/claude", "APPROVED"],
  ["plan_gate", "pass"],
  ["user_gate_plan", "approve"],
  ["plan_approved", "pass"],
  ["red", "RC"],
  ["red_check", "pass"],
  ["test_review/gemini/gemini", "APPROVED"],
  ["test_review/claude/claude", "APPROVED"],
  ["test_gate", "pass"],
  ["green", "GC"],
  ["green_check", "pass"],
  ["code_review/gemini/gemini", "APPROVED"],
  ["code_review/claude/claude", "APPROVED"],
  ["code_gate", "pass"],
  ["user_gate_code", "approve"],
  ["code_approved", "pass"],
  ["summary", "pass"],
] as const;
type Place = (typeof golden)[number][0] | "end";

/** A run that has come to this place on the golden way. */
function at(place: Place, protocol = orchestrate): Play {
  const run = play(protocol);
  for (const [path, outcome] of golden) {
    if (path === place) break;
    run.answer(path, outcome);
  }
  return run;
}

const phaseNumber = (command: Pick<Command, "phase">): number => Number(command.phase?.split(" ")[0] ?? Number.NaN);

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
      const entered = step.commands.filter((command) => command.type !== "cancel" && command.type !== "finish").map(phaseNumber);
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
      return isReturn ? { memory } : { memory, fault: `${command.path} ${outcome} leads from phase ${now} upwards` };
    },
  };
  /** Ways of a dispute: the implementer's tests are judged again, or stand. */
  const returns = new Set(["disputed test-right"]);

  verifies("ORC-06", "are never skipped, and left upwards only when they are complete, whatever anybody answers", () => {
    const walk = explore(withEveryLimit(orchestrate, 1), { most: 50_000, monitors: [inOrder, byCompletion] });
    expect(walk.cut).toBe(false);
    expect(walk.faults).toEqual([]);
    expect(walk.states).toBeGreaterThan(500);
  });
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
      const isEntered = step.commands.some((next) => next.path.endsWith("_review/gemini/gemini") && next.key !== command?.key) && !isReview;
      const kept = isEntered ? "" : before;
      const skipped = isReview && command?.state === "gemini" && step.state.frames["main"]?.facts["single_reviewer"] === true;
      const said = !isReview ? kept : outcome === "APPROVED" ? `${kept}${reviewer}+` : skipped ? `${kept}gemini?` : kept;
      const opened = step.commands.find((next) => Object.values(closing).some((state) => state === next.state) && next.path !== command?.path);
      const memoryAfter = `${said};${opened && command?.type === "dispatch" ? opened.state : gate}`;
      const isAccepted = said.includes("claude+") && (said.includes("gemini+") || said.includes("gemini?"));
      if (opened && command?.type === "dispatch" && !isAccepted) return { memory: memoryAfter, fault: `${opened.state} opened on ${said}` };
      return { memory: memoryAfter };
    },
  };

  verifies("ORC-13", "open only on both verdicts, or on the recorded exception, in every reachable state", () => {
    expect(gates.map((gate) => Object.keys(parallelOf(gate)))).toEqual([["gemini", "claude"], ["gemini", "claude"], ["gemini", "claude"]]);
    const walk = explore(withEveryLimit(orchestrate, 1), { most: 50_000, monitors: [reviewed] });
    expect(walk.faults).toEqual([]);
    expect(walk.cut).toBe(false);
  });

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
        monitors: [{ start: "", next: (memory, { step }) => ({ memory, ...(step.commands.some((next) => phaseNumber(next) === after) && { fault: `phase ${after}` }) }) }],
      });
      expect(others.faults).toEqual([]);
      expect(others.cut).toBe(false);
      expect(others.states).toBeGreaterThan(50);
    }
  });

  verifies("ORC-75", "stop the run at the third NEEDS_WORK, each counting for itself", () => {
    for (const [gate, counter] of [["plan_review", "gate1"], ["test_review", "gate2"], ["code_review", "gate3"]] as const) {
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
        expect.objectContaining({ type: "ask", as: "escalated", text: "REVIEW LOOP EXCEEDED", trip: { counter, value: 3, limit: 3 } }),
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
    expect(both.latest()).toEqual([expect.objectContaining({ type: "ask", state: "paused", as: "inconclusive" })]);
    both.answer("paused", "resume");
    expect(both.open()).toEqual(["plan_review/claude/claude"]);
  });
});

describe("the loops of orchestrate", () => {
  verifies("ORC-23", "are bounded by these counters of the kernel", () => {
    const limits = Object.fromEntries(Object.entries(mainMachine?.counters ?? {}).map(([name, { limit, from }]) => [name, from === 0 ? `${limit} more` : limit]));
    expect(limits).toMatchObject({
      gate1: 3,
      gate2: 3,
      gate3: 3,
      red: 5,
      green: 5,
      documents: 5,
      disputes: "2 more",
      restarts: "2 more",
      empty: 2,
      silent: 2,
    });
  });

  const adversaries: readonly (readonly [Place, string, (run: Play) => void, number])[] = [
    ["intake", "documents", (run) => (run.answer("intake", "WRITTEN"), run.answer("spec_check", "fail")), 5],
    ["planning", "documents", (run) => (run.answer("planning", "WRITTEN"), run.answer("plan_check", "fail")), 5],
    ["red", "red", (run) => (run.answer("red", "RC"), run.answer("red_check", "fail")), 5],
    ["green", "green", (run) => (run.answer("green", "GC"), run.answer("green_check", "fail", { signature: String(run.events.length) })), 5],
    ["green", "restarts", (run) => run.answer("green", "CF"), 3],
    ["planning", "restarts", (run) => run.answer("planning", "CF"), 3],
  ];
  for (const [place, counter, spoil, most] of adversaries)
    verifies("ORC-23", `stop at ${place} by counter ${counter} after ${most} tries that never satisfy`, () => {
      const run = at(place);
      let tries = 0;
      while (!run.latest().some((command) => command.type === "ask") && tries < 20) {
        spoil(run);
        tries += 1;
      }
      expect(tries).toBe(most);
      expect(run.latest()).toEqual([expect.objectContaining({ type: "ask", as: "escalated", trip: expect.objectContaining({ counter }) })]);
    });

  verifies("ORC-23", "follow the limits that a person set, and refuse 0", () => {
    const run = at("red", withLimits(orchestrate, { red: 2 }));
    for (const _ of [1, 2]) {
      run.answer("red", "RC");
      run.answer("red_check", "fail");
    }
    expect(run.latest()).toEqual([expect.objectContaining({ type: "ask", trip: { counter: "red", value: 2, limit: 2 } })]);
    for (const limit of [0, -1, Number.POSITIVE_INFINITY])
      expect(() => withLimits(orchestrate, { green: limit })).toThrow(expect.objectContaining({ code: "config_invalid", exitCode: 2 }));
  });

  test("trip at the same failure twice before the fifth try, and go on with the same conversation", () => {
    const run = at("green");
    for (const _ of [1, 2]) {
      run.answer("green", "GC");
      run.answer("green_check", "fail", { signature: "E1" });
    }
    expect(run.latest()).toEqual([expect.objectContaining({ text: "Same error twice", trip: { counter: "same_error", value: 2, limit: 2 } })]);
    run.answer("repeated", "context");
    expect(run.latest()).toEqual([
      expect.objectContaining({ key: "green#3", thread: { type: "continue" }, counters: expect.objectContaining({ green: { value: 3, limit: 5 } }) }),
    ]);
  });

  test("do not charge a dispute, and ask a person where the two disagree or dispute a third time", () => {
    const run = at("green");
    run.answer("green", "TI");
    run.answer("dispute", "RC");
    expect(run.open()).toEqual(["disputed"]);
    run.answer("disputed", "test-right");
    expect(run.latest()[0]?.counters["green"]).toEqual({ value: 1, limit: 5 });
    run.answer("green", "TI");
    run.answer("dispute", "RC");
    run.answer("disputed", "test-right");
    run.answer("green", "TI");
    expect(run.latest()).toEqual([expect.objectContaining({ state: "disputed", trip: { counter: "disputes", value: 2, limit: 2 } })]);
  });
});

describe("orchestrate", () => {
  const isDeep = process.env["METTLE_DEEP"] !== undefined;
  const walks: readonly (readonly [number, number])[] = isDeep ? [[1, 100_000], [2, 3_000_000]] : [[1, 100_000], [2, 4_000]];

  for (const [limit, most] of walks)
    verifies(
      ["CORE-07", "ORC-23"],
      `with every limit ${limit} routes every outcome, never stands still, and ends or waits within bounds`,
      () => {
        const protocol = withEveryLimit(orchestrate, limit);
        const walk = explore(protocol, {
          most,
          signatures: ["a", "b"],
          check: (state) => faultsOf(protocol, state),
          monitors: [
            provenComplete(protocol),
            notTogether(protocol, (one, other) => ![one.writes, other.writes].some((writes) => writes === "none" || writes === "review")),
          ],
        });
        expect(walk.faults).toEqual([]);
        expect(walk.longest).toBeLessThan(limit === 1 ? 60 : 1000);
        expect(walk.states).toBeGreaterThan(500);
        if (limit === 1 || isDeep) expect(walk.cut).toBe(false);
      },
      isDeep ? 3_600_000 : undefined,
    );
});

function parallelOf(name: string): Readonly<Record<string, unknown>> {
  const state = mainMachine?.states[name];
  return state?.kind === "parallel" ? state.regions : {};
}
