import { expect, test } from "vitest";
import type { TestResult } from "../../evidence/test-result.ts";
import { judgeContract, unchangedTests } from "./node-contract.ts";
import { noTests, type Suite } from "../suite/suite.ts";

const path = "test/contract.test.ts";
const rules = { tests: ["test/"], source: ["src/"] };

function result(title: string, status: TestResult["status"], kind: TestResult["kind"] = null): TestResult {
  return { id: `${path}::${title}`, status, kind, message: "", frames: ["src/a.ts:1:1"] };
}

function failing(suite: Suite, old: readonly string[] = []): readonly string[] {
  return judgeContract({ suite, contractSuite: path, old, rules, marks: [] })
    .filter(({ verdict }) => verdict !== "pass")
    .map(({ verdict, name }) => `${verdict} ${name}`);
}

function suiteOf(...tests: readonly TestResult[]): Suite {
  return { ...noTests, report: { ...noTests.report, tests } };
}

test("new contract tests fail for the right reason; old ones may pass already", () => {
  const open = result("open", "failed", "not-implemented");
  const done = result("done", "passed");
  expect(failing(suiteOf(open, done))).toEqual(["fail contract_fails"]);
  expect(failing(suiteOf(open, done), [done.id])).toEqual([]);
  expect(failing(suiteOf(result("odd", "failed", "other-throw")))).toEqual(["fail contract_reason"]);
  expect(failing(suiteOf(open, result("later", "todo")))).toEqual(["fail contract_marks"]);
});

test("a run that cannot be judged is a doubt, and a suite that does not load or is empty is refused", () => {
  expect(failing({ ...noTests, environment: "no space left" })).toEqual(["inconclusive contract_loads"]);
  expect(failing({ ...noTests, timedOut: true })).toEqual(["inconclusive contract_loads"]);
  expect(failing({ ...noTests, report: { ...noTests.report, report: false } })).toEqual([
    "inconclusive contract_loads",
  ]);
  expect(failing(noTests)).toEqual(["fail contract_loads"]);
  const loadErrors = [{ file: path, message: "SyntaxError" }];
  expect(failing({ ...noTests, report: { ...noTests.report, loadErrors } })).toEqual(["fail contract_loads"]);
});

test("a locked test is old as long as its own text is", () => {
  const [one, two] = [
    'test("one", () => {\n  expect(a).toBe(1);\n});\n',
    'test("two", () => {\n  expect(a).toBe(2);\n});\n',
  ];
  const ids = [`${path}::one`, `${path}::two`];
  const before = `${one}${two}`;
  const of = (now: string | null) => unchangedTests(path, { ids, before, now });
  expect(of(before)).toEqual(ids);
  expect(of(`// moved\n${two}${one}test("three", () => {});\n`)).toEqual(ids);
  expect(of(`${one}${two.replace("toBe(2)", "toBe(3)")}`)).toEqual([`${path}::one`]);
  expect(of(two)).toEqual([`${path}::two`]);
  expect(unchangedTests(path, { ids, before: null, now: before })).toEqual([]);
  expect(unchangedTests("a_test.go", { ids: ["a_test.go::TestA"], before: "a", now: "b" })).toEqual([
    "a_test.go::TestA",
  ]);
});
