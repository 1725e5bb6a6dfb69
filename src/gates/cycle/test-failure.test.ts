import { expect, test } from "vitest";
import type { TestResult } from "../../evidence/test-result.ts";
import { noTests, type Suite } from "../suite/suite.ts";
import { classifyFailure, endsProcess, testFailureOf, type FailureFacts } from "./test-failure.ts";

const id = "tests/a.js::Q1 adds";
const other = "tests/b.js::Q2 counts";
const result = (more: Partial<TestResult> = {}): TestResult => ({
  id,
  status: "failed",
  kind: "assertion",
  message: "1 is not 2\n at …",
  frames: ["tests/a.js:3:1"],
  ...more,
});
const passing = (name: string): TestResult => result({ id: name, status: "passed", kind: null, message: "" });
const suite = (...tests: readonly TestResult[]): Suite => ({
  ...noTests,
  report: { ...noTests.report, tests },
});
const facts = (tests: readonly TestResult[], more: Partial<FailureFacts> = {}): FailureFacts => ({
  required: [id],
  tests,
  repeats: [suite(...tests), suite(...tests)],
  lost: [],
  rules: { tests: ["tests/"], source: ["src/"] },
  ending: [],
  ...more,
});
const loadError = (message: string): Suite => ({
  ...noTests,
  report: { ...noTests.report, loadErrors: [{ file: "tests/a.js", message }] },
});
const ended: Suite = {
  ...noTests,
  report: { ...noTests.report, problems: [{ code: "early_exit", file: "tests/a.js", message: "" }] },
};

const cases: Readonly<Record<string, readonly [FailureFacts, string, string]>> = {
  "an assertion in every run": [facts([result()]), "de", "1 is not 2"],
  "nothing implemented": [facts([result({ kind: "not-implemented", message: "stub" })]), "de", "stub"],
  "an error thrown in the source": [
    facts([
      result({ kind: "other-throw", message: "TypeError: x", frames: ["src/a.js:2:5", "tests/a.js:3:1"] }),
    ]),
    "de",
    "TypeError: x (src/a.js:2:5)",
  ],
  "a test that passes when it is run again": [
    facts([result()], { repeats: [suite(result()), suite(passing(id))] }),
    "qa",
    "flaky: it passed in 1 of 2 further runs",
  ],
  "a name that the test uses and nobody defined": [
    facts([result({ kind: "other-throw", message: "ReferenceError: y is not defined" })]),
    "qa",
    "ReferenceError: y is not defined",
  ],
  "a hook of the test": [facts([result({ kind: "hook", message: "no folder" })]), "qa", "no folder"],
  "an error in the test about what the source gave": [
    facts([result({ kind: "other-throw", message: "TypeError: x.map is not a function" })]),
    "undetermined",
    "TypeError: x.map is not a function",
  ],
  "a test that never ends": [
    facts([result({ kind: "timeout", message: "timed out", frames: [] })]),
    "undetermined",
    "timed out",
  ],
  "a crash of a test that ends the process itself": [
    facts([result({ kind: "crash", frames: [] })], { ending: ["tests/a.js"] }),
    "qa",
    "its own code ends the process",
  ],
  "a test file that does not load because of the source": [
    facts([], { repeats: [loadError("'../src/a.js' does not provide an export named 'b'")] }),
    "de",
    "its file does not load: '../src/a.js' does not provide an export named 'b'",
  ],
  "a test file that does not load by itself": [
    facts([], { repeats: [loadError("SyntaxError: x\n at tests/a.js:1")] }),
    "qa",
    "its file does not load: SyntaxError: x",
  ],
  "code that ends the process": [
    facts([], { repeats: [ended] }),
    "de",
    "the code ends the process before it",
  ],
  "a test file that ends the process": [
    facts([], { repeats: [ended], ending: ["tests/a.js"] }),
    "qa",
    "the code of its file ends the process",
  ],
  "a test that is nowhere": [facts([]), "undetermined", "it is not in the report"],
};
for (const [name, [given, fault, why]] of Object.entries(cases))
  test(`${name} is ${fault}`, () => {
    const findings = classifyFailure(given);
    expect(findings[1]?.message).toBe(`${fault}: ${id}: ${why}`);
    expect(testFailureOf({ findings })).toEqual({ fault, failing: [id] });
  });

test("a flaky test besides a wrong implementation leaves the fault undetermined, and both are named", () => {
  const tests = [result(), result({ id: other })];
  const findings = classifyFailure(
    facts(tests, { required: [id, other], repeats: [suite(result(), passing(other))] }),
  );
  expect(findings.map(({ code, message }) => `${code} ${message}`)).toEqual([
    `test_failure undetermined (fault in tests or implementation): ${id}, ${other}`,
    `test_failure de: ${id}: 1 is not 2`,
    `test_failure qa: ${other}: flaky: it passed in 1 of 1 further runs`,
  ]);
  expect(testFailureOf({ findings })).toEqual({ fault: "undetermined", failing: [id, other] });
});

test("an earlier test that fails now is the implementation's fault", () => {
  const findings = classifyFailure(facts([passing(id)], { lost: ["tests/old.js::works"] }));
  expect(testFailureOf({ findings })).toEqual({ fault: "de", failing: ["tests/old.js::works"] });
  expect(testFailureOf({ findings: [] })).toBeNull();
});

test("code that ends its process is recognised in four languages", () => {
  for (const text of [
    "process.exit(0)",
    "process . abort()",
    "sys.exit(1)",
    "os.Exit(2)",
    "std::process::exit(0)",
  ])
    expect([text, endsProcess(text)]).toEqual([text, true]);
  expect(endsProcess("reprocess.exit(0); onExit(1)")).toBe(false);
});
