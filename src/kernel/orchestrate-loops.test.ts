import { describe, expect, test } from "vitest";
import { verifies } from "../../test/verifies.ts";
import { explore } from "../testing/explore.ts";
import { at, golden, orchestrate, type StepName } from "./fixtures/orchestrate.ts";
import type { Play } from "./fixtures/play.ts";
import { withEveryLimit } from "./fixtures/protocols.ts";
import { faultsOf, notTogether, provenComplete } from "../testing/invariants.ts";
import { withLimits } from "./limits.ts";

const mainMachine = orchestrate.machines["main"];

describe("the loops of orchestrate", () => {
  verifies("ORC-23", "are bounded by these counters of the kernel", () => {
    const limits = Object.fromEntries(
      Object.entries(mainMachine?.counters ?? {}).map(([name, { limit, from }]) => [
        name,
        from === 0 ? `${limit} more` : limit,
      ]),
    );
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

  const adversaries: readonly (readonly [StepName, string, (run: Play) => void, number])[] = [
    ["intake", "documents", (run) => (run.answer("intake", "WRITTEN"), run.answer("spec_check", "fail")), 5],
    [
      "planning",
      "documents",
      (run) => (run.answer("planning", "WRITTEN"), run.answer("plan_check", "fail")),
      5,
    ],
    ["red", "red", (run) => (run.answer("red", "RC"), run.answer("red_check", "fail")), 5],
    [
      "green",
      "green",
      (run) => (
        run.answer("green", "GC"),
        run.answer("green_check", "fail", { signature: String(run.events.length) })
      ),
      5,
    ],
    ["green", "restarts", (run) => run.answer("green", "CF"), 3],
    ["planning", "restarts", (run) => run.answer("planning", "CF"), 3],
  ];
  for (const [place, counter, spoil, most] of adversaries)
    verifies(
      "ORC-23",
      `stop at ${place} by counter ${counter} after ${most} tries that never satisfy`,
      () => {
        const run = at(place);
        let tries = 0;
        while (!run.latest().some((command) => command.type === "ask") && tries < 20) {
          spoil(run);
          tries += 1;
        }
        expect(tries).toBe(most);
        expect(run.latest()).toEqual([
          expect.objectContaining({
            type: "ask",
            as: "escalated",
            trip: expect.objectContaining({ counter }),
          }),
        ]);
      },
    );

  verifies("ORC-23", "follow the user's limits, and refuse 0", () => {
    const run = at("red", withLimits(orchestrate, { red: 2 }));
    for (const _ of [1, 2]) {
      run.answer("red", "RC");
      run.answer("red_check", "fail");
    }
    expect(run.latest()).toEqual([
      expect.objectContaining({ type: "ask", trip: { counter: "red", value: 2, limit: 2 } }),
    ]);
    for (const limit of [0, -1, Number.POSITIVE_INFINITY])
      expect(() => withLimits(orchestrate, { green: limit })).toThrow(
        expect.objectContaining({ code: "config_invalid", exitCode: 2 }),
      );
  });

  test("trip at the same failure twice before the fifth attempt, and continue with the same conversation", () => {
    const run = at("green");
    for (const _ of [1, 2]) {
      run.answer("green", "GC");
      run.answer("green_check", "fail", { signature: "E1" });
    }
    expect(run.latest()).toEqual([
      expect.objectContaining({
        text: "Same error twice",
        trip: { counter: "same_error", value: 2, limit: 2 },
      }),
    ]);
    run.answer("repeated", "context");
    expect(run.latest()).toEqual([
      expect.objectContaining({
        key: "green#3",
        thread: { type: "continue" },
        counters: expect.objectContaining({ green: { value: 3, limit: 5 } }),
      }),
    ]);
  });

  verifies("ORC-22", "restart when a person rejects, also for gates with counted attempts", () => {
    const rejectedAfter = (
      review: "plan_review" | "code_review",
      place: "user_gate_plan" | "user_gate_code",
    ) => {
      const run = at(review === "plan_review" ? "plan_review/gemini/gemini" : "code_review/gemini/gemini");
      run.answer(`${review}/gemini/gemini`, "NEEDS_WORK");
      run.answer(`${review}/claude/claude`, "APPROVED");
      const again = golden.slice(golden.findIndex(([path]) => path === run.open()[0]));
      for (const [path, outcome] of again) {
        if (path === place) break;
        run.answer(path, outcome);
      }
      const used = run.latest()[0]?.counters ?? {};
      run.answer(place, "reject");
      return { used, next: run.latest() };
    };
    const three = (value: number) => ({ value, limit: 3 });
    const plan = rejectedAfter("plan_review", "user_gate_plan");
    expect(plan.used["gate1"]).toEqual(three(2));
    expect(plan.next).toMatchObject([{ state: "planning", counters: { gate1: three(1) } }]);
    const code = rejectedAfter("code_review", "user_gate_code");
    expect(code.used["gate3"]).toEqual(three(2));
    expect(code.next).toMatchObject([{ state: "green", counters: { gate2: three(1), gate3: three(1) } }]);
  });

  test("do not count a dispute, and ask a person when the two disagree or dispute a third time", () => {
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
    expect(run.latest()).toEqual([
      expect.objectContaining({ state: "disputed", trip: { counter: "disputes", value: 2, limit: 2 } }),
    ]);
  });
});

describe("orchestrate", { tags: "ci" }, () => {
  const isDeep = process.env["METTLE_DEEP"] !== undefined;
  const mayWorkTogether = (writes: string): boolean => writes === "none" || writes === "review";

  const walkWith = (limit: number, most: number, without: readonly string[]) => {
    const protocol = withEveryLimit(orchestrate, limit);
    return explore(protocol, {
      maxStates: most,
      signatures: ["a", "b"],
      tries: (_command, outcome) => !without.includes(outcome),
      check: (state) => faultsOf(protocol, state),
      monitors: [
        provenComplete(protocol),
        notTogether(protocol, (one, other) => !mayWorkTogether(one.writes) && !mayWorkTogether(other.writes)),
      ],
    });
  };

  verifies(
    ["CORE-07", "ORC-23"],
    "with every limit 1 routes every outcome, never gets stuck, and ends or waits within bounds",
    () => {
      const walk = walkWith(1, 100_000, []);
      expect(walk.faults).toEqual([]);
      expect(walk.cut).toBe(false);
      expect(walk.longest).toBeLessThan(60);
      expect(walk.states).toBeGreaterThan(500);
    },
    300_000,
  );

  /** They lead to an ask that only leads back: at limit 2 they multiply the states without adding a path. */
  const asksOnly = ["ME", "BL", "EX", "CF", "inconclusive", "EX.outside", "changed"];

  verifies(
    ["CORE-07", "ORC-23"],
    `with every limit 2 does so in ${isDeep ? "every state" : "the first 4,000 states"}`,
    () => {
      const walk = walkWith(2, isDeep ? 1_000_000 : 4_000, isDeep ? asksOnly : []);
      expect(walk.faults).toEqual([]);
      expect(walk.cut).toBe(!isDeep);
      expect(walk.longest).toBeLessThan(200);
      expect(walk.states).toBeGreaterThan(3_999);
    },
    isDeep ? 1_800_000 : 300_000,
  );
});
