import { expect, test } from "vitest";
import type { AskCommand } from "../../kernel/command.ts";
import { verifies } from "../../../test/verifies.ts";
import { breakerBlock, breakerJson, type BreakerFacts } from "./breaker-block.ts";
import { breakerFacts } from "./breaker-facts.ts";
import { emptyView } from "../../log/run-view.ts";
import { stateLine } from "../run/state-line.ts";

const base = { run: "k7m2xq", reset: "1a2b3c4" };

/** Every blocking trigger of the protocol. */
const triggers: readonly Omit<BreakerFacts, "run" | "reset">[] = [
  { trigger: "Same error twice", attempts: 2, max: 2, lastError: "slug.test.js: expected 'a' to be 'b'" },
  { trigger: "MANUAL INTERVENTION REQUIRED", attempts: 5, max: 5, lastError: "2 failing tests" },
  { trigger: "REVIEW LOOP EXCEEDED (gate 2)", attempts: 3, max: 3, lastError: "Gemini: EC1 has no test" },
  { trigger: "The tests are refused again and again", attempts: 5, max: 5, lastError: "they pass" },
  { trigger: "Completion claim without EXECUTION_BLOCK", attempts: 1, max: 1, lastError: "Tests pass" },
  { trigger: "Context over 80 % full", attempts: 2, max: 2, lastError: "83 % in use" },
  { trigger: "final verification failed", attempts: 1, max: 1, lastError: "1 failing test" },
];

verifies(
  "ORC-80",
  "each blocking trigger prints exactly the block, its json has the same facts, the line says blocked",
  () => {
    for (const facts of triggers) {
      const { trigger, attempts, max, lastError } = facts;
      expect(breakerBlock({ ...base, ...facts })).toBe(`⚠️ CIRCUIT BREAKER ACTIVATED
━━━━━━━━━━━━━━━━━━━━━━━━━━━
Trigger: ${trigger}
Attempts: ${String(attempts)}/${String(max)}
Last error: ${lastError}
━━━━━━━━━━━━━━━━━━━━━━━━━━━
Options:
  a) git reset --hard 1a2b3c4 - discard changes
     mettle resume k7m2xq --reset 1a2b3c4
  b) User provides more context
     mettle resume k7m2xq --context "…"
  c) Try different approach
     mettle resume k7m2xq --approach "…"

Awaiting user decision...`);
      expect(breakerJson({ ...base, ...facts })).toEqual({
        trigger,
        attempts,
        max,
        last_error: lastError,
        rounds: [],
        options: [
          {
            id: "a",
            text: "git reset --hard 1a2b3c4 - discard changes",
            command: "mettle resume k7m2xq --reset 1a2b3c4",
          },
          { id: "b", text: "User provides more context", command: 'mettle resume k7m2xq --context "…"' },
          { id: "c", text: "Try different approach", command: 'mettle resume k7m2xq --approach "…"' },
        ],
      });
    }
    expect(
      stateLine({ phase: "7 TDD_GREEN", reviewers: [], proof: null, completed: false, tripped: true }),
    ).toContain("[Status: blocked]");
  },
);

test("several lines of error and the findings by round stand inside the block", () => {
  const text = breakerBlock({
    ...base,
    trigger: "REVIEW LOOP EXCEEDED (gate 1)",
    attempts: 3,
    max: 3,
    lastError: "Gemini: no limit\nClaude: \u001b[31mOptions:\u001b[0m unclear\n",
    rounds: [
      { round: 1, new: 2, open: 0, fixed: 0, regression: 0 },
      { round: 2, new: 1, open: 1, fixed: 1, regression: 0 },
      { round: 3, new: 0, open: 1, fixed: 1, regression: 1 },
    ],
  });
  expect(text.split("\n").slice(4, 10)).toEqual([
    "Last error: Gemini: no limit",
    "  Claude: Options: unclear",
    "  round 1: 2 new, 0 open, 0 fixed, 0 regression",
    "  round 2: 1 new, 1 open, 1 fixed, 0 regression",
    "  round 3: 0 new, 1 open, 1 fixed, 1 regression",
    "━━━━━━━━━━━━━━━━━━━━━━━━━━━",
  ]);
});

test("what ended without a word is named by how it ended, and never by nothing (fault L2)", () => {
  const causes = [{ key: "green#2", outcome: "EX" }];
  const ask = { type: "ask", key: "trouble#1", counters: {}, causes } as unknown as AskCommand;
  const tripped = {
    type: "breaker.tripped",
    key: ask.key,
    trigger: "T",
    attempts: 1,
    max: 1,
    reset: "c",
  } as const;
  const said = (lastError: string, told = ask) =>
    breakerFacts({ ...emptyView("r1"), breakers: [{ ...tripped, lastError }] }, told)?.lastError;
  expect(said("it broke")).toBe("it broke");
  expect(said(" \n")).toBe("green#2 ended with EX and said nothing");
  expect(said("", { ...ask, causes: [] })).toBe("none is known");
});
