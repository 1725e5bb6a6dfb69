import { expect, test } from "vitest";
import type { TestResult } from "../../evidence/test-result.ts";
import { noTests } from "../../gates/suite/suite.ts";
import type { ControlTest } from "../../source/flip/edit.ts";
import { resultsOf } from "./copy-results.ts";

const flips = [
  { line: 3, was: "expect(f()).toBe(1)" },
  { line: 4, was: "expect(g()).toBe(2)" },
];
const changed = (name: string, more: Partial<ControlTest> = {}): ControlTest => ({
  name,
  line: 2,
  mark: `m${name}`,
  count: 1,
  flips,
  ...more,
});
const result = (id: string, status: TestResult["status"], message = ""): TestResult => ({
  id,
  status,
  kind: status === "failed" ? "assertion" : null,
  message,
  frames: [],
});

function judged(results: readonly TestResult[], tests: readonly ControlTest[], required = ["a.js::one"]) {
  const suite = { ...noTests, report: { ...noTests.report, tests: [...results] } };
  return resultsOf(
    suite,
    [{ file: "a.js", copy: { text: "", tests, unchanged: [], neighbours: null } }],
    required,
  );
}

test("every test must end with its mark, after no flip that passed", () => {
  const held = judged([result("a.js::one", "failed", "expected 'mone:' to be 'x'")], [changed("one")]);
  expect(held).toMatchObject({
    canary: { state: "held" },
    flip: { state: "measured", values: 2, tests: 1, unmeasured: 0, passed: [] },
    idle: [],
  });
  const wrong = judged([result("a.js::one", "failed", "'\u001B[31mmone:[1]' != 'x'")], [changed("one")]);
  expect(wrong.flip).toMatchObject({ passed: [{ id: "a.js::one", file: "a.js", line: 4 }] });
  expect(judged([result("a.js::one", "passed")], [changed("one")]).canary).toEqual({
    state: "passed",
    files: ["a.js"],
  });
});

test("a test without its mark, without report or with an uncertain name is not measured and blocks nothing", () => {
  const unmeasured = (results: readonly TestResult[], tests: readonly ControlTest[]) => {
    const { canary, flip } = judged(results, tests);
    return [canary.state, flip.state];
  };
  const nothing = ["not measured", "not measured"];
  expect(unmeasured([result("a.js::one", "failed", "other")], [changed("one")])).toEqual(nothing);
  expect(unmeasured([result("a.js::one", "skipped")], [changed("one")])).toEqual(nothing);
  expect(unmeasured([], [changed("one")])).toEqual(nothing);
  const twice = [result("a.js::one", "failed", "mone:"), result("a.js::one#2", "passed")];
  expect(unmeasured(twice, [changed("one")])).toEqual(nothing);
  expect(judged(twice, [changed("one"), changed("one")]).canary.state).toBe("passed");
});

test("a table is judged with all its parameters", () => {
  const tests = [changed("one", { count: null })];
  const { canary, flip } = judged(
    [result("a.js::one[1]", "failed", "mone:[]"), result("a.js::one[2]", "failed", "mone:[0]")],
    tests,
    ["a.js::one[1]", "a.js::one[2]", "a.js::other"],
  );
  expect(canary.state).toBe("held");
  expect(flip).toMatchObject({ tests: 2, unmeasured: 1, passed: [{ id: "a.js::one[2]", line: 3 }] });
});

test("a test that notes that no assertion ran is idle, at the place of its first assertion", () => {
  const watched = { line: 5, was: "assert(x)" };
  const tests = [changed("one", { flips: [], watched })];
  const idle = (message: string) => judged([result("a.js::one", "failed", message)], tests).idle;
  expect(idle("mone:")).toEqual([{ id: "a.js::one", file: "a.js", ...watched }]);
  expect([idle("mone:-1"), idle("mone:[-1]"), idle("another error")]).toEqual([[], [], []]);
});
