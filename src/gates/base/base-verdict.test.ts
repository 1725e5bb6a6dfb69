import { expect, test } from "vitest";
import { vitestNoAssertion, noAssertionRan } from "../../evidence/asserts-nothing.ts";
import type { TestProblem, TestResult } from "../../evidence/test-result.ts";
import { judgeBase, type BasePackage } from "./base-verdict.ts";
import { judgeFinal } from "../suite/final.ts";
import { noTests, nothingPasses, regressions, withoutPreExisting, type Suite } from "../suite/suite.ts";

function results(status: TestResult["status"], count: number, file = "tests/a.test.js"): TestResult[] {
  const kind = status === "failed" ? ("assertion" as const) : null;
  return Array.from({ length: count }, (_none, at) => ({
    id: `${file}::${status} ${at + 1}`,
    status,
    kind,
    message: "",
    frames: [],
  }));
}

interface Made {
  readonly tests?: readonly TestResult[];
  readonly unloaded?: readonly string[];
  readonly problems?: readonly TestProblem[];
}

function suite({ tests = [], unloaded = [], problems = [] }: Made, more: Partial<Suite> = {}): Suite {
  const loadErrors = unloaded.map((file) => ({ file, message: "Cannot find module" }));
  return { ...noTests, exitCode: 1, report: { report: true, tests, loadErrors, problems }, ...more };
}

function base(made: Made, files: Record<string, number> = { "tests/a.test.js": 1 }): BasePackage {
  return { folder: ".", runner: "node:test", suite: suite(made), files: new Map(Object.entries(files)) };
}

const missing: TestProblem = {
  code: "tests_not_executed",
  file: "tests/a.test.js",
  message: "not mentioned",
};

test("a base in which nothing passes is unusable, whether its tests fail, do not load or are missing", () => {
  const said = (one: BasePackage) => {
    const verdict = judgeBase([one]);
    return verdict.type === "unusable" ? verdict.why : verdict.type;
  };
  const none = "none of the base commit's own tests passes in a clean checkout (node:test): ";
  expect(said(base({ tests: results("failed", 3) }))).toBe(`${none}3 of 3 tests fail`);
  expect(said(base({ unloaded: ["tests/a.test.js"] }))).toBe(
    `${none}1 of 1 test file does not load; tests/a.test.js: Cannot find module`,
  );
  expect(said(base({ tests: results("skipped", 1), unloaded: ["tests/a.test.js"] }))).toBe(
    `${none}1 of 1 test file does not load; tests/a.test.js: Cannot find module`,
  );
  expect(said(base({ problems: [missing] }))).toBe(
    `${none}the report contains no test of 1 test file (tests_not_executed: not mentioned)`,
  );
  expect(
    said({ ...base({}), suite: suite({}, { exitCode: 64, report: { ...noTests.report, report: false } }) }),
  ).toBe("node:test left no complete, readable report of the base commit's own tests (exit code 64)");
  expect(said({ ...base({}), suite: suite({}, { timedOut: true }) })).toBe(
    "the base commit's own tests did not end in time (node:test)",
  );
  // No tests, a helper among the tests, and a suite that skips everything are no fault.
  expect(judgeBase([])).toEqual({ type: "empty" });
  expect(said(base({}, { "tests/helper.js": 0 }))).toBe("empty");
  expect(said(base({ tests: results("skipped", 2) }))).toBe("usable");
});

test("more than a tenth of failing tests needs a person, and a file that does not load counts the tests of its text", () => {
  const few = judgeBase([base({ tests: [...results("passed", 36), ...results("failed", 4)] })]);
  expect(few).toMatchObject({ type: "usable", tests: 40, count: 4, needsPerson: false });
  const many = judgeBase([base({ tests: [...results("passed", 35), ...results("failed", 5)] })]);
  expect(many).toMatchObject({ tests: 40, count: 5, needsPerson: true });
  const unloaded = judgeBase([
    base(
      { tests: results("passed", 36), unloaded: ["tests/b.test.js"] },
      { "tests/a.test.js": 36, "tests/b.test.js": 9 },
    ),
  ]);
  expect(unloaded).toMatchObject({ tests: 45, count: 9, failing: ["tests/b.test.js"], needsPerson: true });
  const lost = { ...base({ unloaded: ["lib/a.test.js"] }), folder: "lib" };
  const beside = judgeBase([base({ tests: results("passed", 40) }), lost]);
  expect(beside).toMatchObject({ tests: 41, count: 1, needsPerson: true });
});

test("a test that asserts nothing passes in its project: it needs no person, and breaking it is a regression", () => {
  const bare = (status: TestResult["status"], message: string): TestResult => ({
    id: "tests/a.test.js::types",
    status,
    kind: "other-throw",
    message,
    frames: [],
  });
  for (const message of [noAssertionRan, `${vitestNoAssertion} (1)`]) {
    const old = [...results("passed", 1), bare("failed", message)];
    expect(judgeBase([base({ tests: old })])).toMatchObject({ count: 0, failing: [], needsPerson: false });
    const baseline = suite({ tests: old });
    const broken = suite({ tests: [...results("passed", 1), bare("failed", "x is not defined")] });
    expect(regressions(broken, baseline)).toEqual(["tests/a.test.js::types"]);
    expect(withoutPreExisting(broken, baseline).preExisting).toEqual([]);
    expect(regressions(baseline, baseline)).toEqual([]);
    expect(withoutPreExisting(baseline, baseline).preExisting).toEqual(["tests/a.test.js::types"]);
    expect(regressions(suite({ tests: results("passed", 1) }), baseline)).toEqual(["tests/a.test.js::types"]);
  }
});

test("a base in which nothing passes excuses nothing, and nothing is proven against it (fault P1)", () => {
  const broken = suite({ unloaded: ["tests/a.test.js"] });
  expect(nothingPasses(broken)).toBe(true);
  expect(
    nothingPasses(suite({ tests: results("failed", 1).map((one) => ({ ...one, kind: "not-implemented" })) })),
  ).toBe(false);
  const now = suite({ tests: results("passed", 1, "tests/new.test.js"), unloaded: ["tests/a.test.js"] });
  const facts = { suite: now, confirm: null, required: ["tests/new.test.js::passed 1"], redHasResult: true };
  const commits = { base: "1", head: "2", approved: "2" };
  expect(judgeFinal({ ...facts, ...commits, baseline: broken }).verdict).toBe("pass");
  const judged = judgeFinal({ ...facts, ...commits, baseline: { ...broken, unusable: ["."] } });
  expect([judged.verdict, judged.findings]).toEqual(["inconclusive", []]);
  expect(judged.checks.find(({ name }) => name === "required")?.reason).toBe(
    "none of the base commit's own tests passes in a clean checkout, so nothing can be compared",
  );
});

test("a file that the report does not mention is not excused by a base that did not mention it", () => {
  const now = suite({ tests: results("passed", 1, "tests/b.test.js"), problems: [missing] });
  expect(withoutPreExisting(now, now).suite.report.problems).toEqual([missing]);
});
