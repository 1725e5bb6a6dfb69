/** Histories that trip a breaker and histories that do not, judged by the gates' rules (CORE-75). */
import { describe, expect } from "vitest";
import { verifies } from "../../test/verifies.ts";
import { failureSignature } from "../evidence/failure-signature.ts";
import { waitingAsks } from "./inspect.ts";
import { at } from "./fixtures/orchestrate.ts";
import type { Play } from "./fixtures/play.ts";

/** The failure signature of a test run in which these tests failed with these messages. */
function failing(tests: Readonly<Record<string, string>>): string {
  const results = Object.entries(tests).map(([id, message]) => ({
    id,
    status: "failed" as const,
    kind: "assertion" as const,
    message,
    frames: [],
  }));
  return failureSignature({ report: true, tests: results, loadErrors: [], problems: [] }) ?? "";
}

/** One green iteration with these failures. */
function fails(run: Play, tests: Readonly<Record<string, string>>): void {
  run.answer("green", "GC");
  run.answer("green_check", "fail", { signature: failing(tests) });
}

/** The text of the tripped breaker, or null. */
function tripped(run: Play): string | null {
  return waitingAsks(run.state()).find(({ as }) => as === "escalated")?.text ?? null;
}

function reviews(run: Play, state: string, verdict: string): void {
  run.answer(`${state}/gemini/gemini`, verdict);
  run.answer(`${state}/claude/claude`, verdict);
}

describe("a breaker", () => {
  const trips: readonly (readonly [string, () => Play, string])[] = [
    [
      "the same failing tests for the same reason twice, whatever the lines, times and paths",
      () => {
        const run = at("green");
        fails(run, { "a::one": "expected 3 to be 4 at /tmp/x1/src/a.js:10:5 after 12ms" });
        fails(run, { "a::one": "expected 3 to be 4 at /tmp/y2/src/a.js:99:1 after 900ms" });
        return run;
      },
      "Same error twice",
    ],
    [
      "five failed iterations that fail differently each time",
      () => {
        const run = at("green");
        for (const id of ["a", "b", "c", "d", "e"]) fails(run, { [id]: `${id} is wrong` });
        return run;
      },
      "MANUAL INTERVENTION REQUIRED",
    ],
    [
      "five refused RED attempts",
      () => {
        const run = at("red");
        for (let attempt = 1; attempt <= 5; attempt++) {
          run.answer("red", "RC");
          run.answer("red_check", "fail");
        }
        return run;
      },
      "The tests are refused again and again",
    ],
    [
      "three reviews of one gate that want work",
      () => {
        const run = at("plan_review/gemini/gemini");
        for (let round = 1; round <= 3; round++) {
          reviews(run, "plan_review", "NEEDS_WORK");
          if (round === 3) break;
          run.answer("planning", "WRITTEN");
          run.answer("plan_check", "pass");
        }
        return run;
      },
      "REVIEW LOOP EXCEEDED",
    ],
    [
      "five refused documents",
      () => {
        const run = at("planning");
        for (let attempt = 1; attempt <= 5; attempt++) {
          run.answer("planning", "WRITTEN");
          run.answer("plan_check", "fail");
        }
        return run;
      },
      "An agent could not finish",
    ],
    [
      "a third full context in one phase",
      () => {
        const run = at("green");
        for (let restart = 1; restart <= 3; restart++) run.answer("green", "CF");
        return run;
      },
      "Context over 80 % full",
    ],
  ];

  const calm: readonly (readonly [string, () => Play])[] = [
    ["a silent agent that still works: nothing arrives, so nothing is counted", () => at("green")],
    [
      "an output of any length: the kernel sees its address alone",
      () => {
        const run = at("green");
        run.answer("green", "GC", { payload: `sha256:${"a".repeat(64)}` });
        return run;
      },
    ],
    [
      "slow progress with a shrinking failing set and the same first message",
      () => {
        const run = at("green");
        const all = { a: "expected 1 to be 2", b: "expected 1 to be 2", c: "expected 1 to be 2", d: "x" };
        for (const gone of ["d", "c", "b"] as const) {
          fails(run, all);
          Reflect.deleteProperty(all, gone);
        }
        return run;
      },
    ],
    [
      "an error that comes back after another one",
      () => {
        const run = at("green");
        fails(run, { a: "wrong" });
        fails(run, { b: "wrong" });
        fails(run, { a: "wrong" });
        return run;
      },
    ],
    [
      "ten failures of the environment, each resumed by a person",
      () => {
        const run = at("green");
        for (let time = 1; time <= 10; time++) {
          run.answer("green", "inconclusive", { signature: "no space left" });
          run.answer("paused", "resume");
        }
        return run;
      },
    ],
    [
      "two reviews that want work at each of two gates",
      () => {
        const run = at("plan_review/gemini/gemini");
        for (let round = 1; round <= 2; round++) {
          reviews(run, "plan_review", "NEEDS_WORK");
          run.answer("planning", "WRITTEN");
          run.answer("plan_check", "pass");
        }
        reviews(run, "plan_review", "APPROVED");
        for (const [path, outcome] of [
          ["plan_gate", "pass"],
          ["user_gate_plan", "approve"],
          ["plan_approved", "pass"],
          ["red", "RC"],
          ["red_check", "pass"],
        ] as const)
          run.answer(path, outcome);
        for (let round = 1; round <= 2; round++) {
          reviews(run, "test_review", "NEEDS_WORK");
          run.answer("red", "RC");
          run.answer("red_check", "pass");
        }
        return run;
      },
    ],
  ];

  verifies("CORE-75", "trips on six histories and not on six others", () => {
    for (const [history, make, text] of trips) expect(tripped(make()), history).toBe(text);
    for (const [history, make] of calm) expect(tripped(make()), history).toBeNull();
  });
});
