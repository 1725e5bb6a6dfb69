/** The answer of a gate on a screen of 80 columns. */
import { expect, test } from "vitest";
import type { GateAnswer } from "../../src/change/answer.ts";
import { gateText } from "../../src/cli/gate-text.ts";

const ids = ["empty", "with dots", "several endings", "upper case", "two slashes"].map(
  (name) => `test/res.type.js::res::.type(str)::edge cases::should handle a string that is or has ${name}`,
);
const fails = {
  name: "red.fails",
  verdict: "fail" as const,
  reason: `5 tests pass without the change: ${ids.slice(0, 4).join(", ")} and 1 more; a test that should pass already needs a comment with the reason, \`passes already: REASON\`; a person can accept it: mettle prove … --accept-test ID`,
  tests: ids,
  places: [],
};
const numbers = {
  unexecuted_lines: 0,
  surviving_mutants: 0,
  new_exports: 0,
  new_exports_without_test: 0,
  files_changed: 1,
  lines_before: 1,
  lines_after: 1,
  branches_before: 0,
  branches_after: 0,
  complexity_delta: 0,
  lint: "eslint",
  lint_delta: 0,
};
const answer: GateAnswer = {
  gate: "prove",
  verdict: "fail",
  base: "c4cc78bdf55a",
  head: "b4ab7d65d772",
  tree: "b4ab7d65d772",
  red: null,
  runner: "mocha 11.8.0",
  started: "2026-01-01T00:00:00Z",
  ended: "2026-01-01T00:00:01Z",
  checks: [fails],
  findings: [],
  required: [],
  observed: [],
  numbers,
  record: { id: "g/1", hash: "sha256:0" },
  base_tests: { tests: 76, failing: ["a.test.js::one"] },
};

test("a long list of tests does not hide what to do, and no line is wider than the screen (CORE-36)", () => {
  const text = gateText(answer, { columns: 80, fault: null });
  const words = text.replaceAll(/\s+/gu, " ");
  expect(words).toContain(`${ids[1] ?? ""} and 3 more; a test that should pass already`);
  expect(words).toContain("a person can accept it: mettle prove … --accept-test ID");
  expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
  expect(words).toContain("1 of 76 tests fails on the base already, and excuses nothing new");
});

test("a reason that is too long ends within the screen, and says where the rest is", () => {
  const long = { ...fails, reason: "one two three four ".repeat(60), tests: [] };
  const lines = gateText({ ...answer, checks: [long] }, { columns: 80, fault: null }).split("\n");
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(lines.filter((line) => line.endsWith("… (--json)"))).toHaveLength(1);
});

test("the first line of a passing answer fits the screen, too", () => {
  const [first, second] = [ids.slice(0, 1), ids.slice(1, 3)];
  const given = { ...answer, verdict: "pass" as const, checks: [], required: first };
  const characterized = { proved: second, unproved: [] };
  const lines = gateText({ ...given, characterized }, { columns: 80, fault: null }).split("\n");
  expect(lines.slice(0, 2)).toEqual([
    "✓ proved: 1 test fails without the change and passes with it; 2 tests of",
    "  existing behaviour would notice faults of the code",
  ]);
});
