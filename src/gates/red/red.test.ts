import { expect, test } from "vitest";
import type { TestResult } from "../../evidence/test-result.ts";
import { mustNotThrowNotes } from "./author-notes.ts";
import { guardsOf } from "./passing-tests.ts";
import { newTests, type RedFacts } from "./red-facts.ts";
import { unknownUnit } from "./red-reason.ts";
import { judgeRed } from "./red.ts";
import { noTests, type Suite } from "../suite/suite.ts";
import { failedChecks } from "../../../test/support/failed-checks.ts";
import { verifies } from "../../../test/verifies.ts";

function result(id: string, more: Partial<TestResult> = {}): TestResult {
  return {
    id,
    status: "failed",
    kind: "assertion",
    message: "expected",
    frames: [`${id.split("::")[0]}:1:1`],
    ...more,
  };
}

const passedOld: TestResult = {
  id: "tests/old.js::old",
  status: "passed",
  kind: null,
  message: "",
  frames: [],
};
const passes: Partial<TestResult> = { status: "passed", kind: null, message: "", frames: [] };
const fresh = result("tests/new.js::FR1 new");

function suite(tests: readonly TestResult[], report: Partial<Suite["report"]> = {}): Suite {
  const exitCode = tests.every(({ status }) => status === "passed") ? 0 : 1;
  return { ...noTests, exitCode, report: { ...noTests.report, tests: [...tests], ...report } };
}

function facts(more: Partial<RedFacts> = {}): RedFacts {
  return {
    changed: ["tests/new.js"],
    links: [],
    rules: { tests: ["tests/"], source: ["src/"] },
    criteria: ["FR1"],
    plan: {},
    baseline: suite([passedOld]),
    first: suite([passedOld, fresh]),
    confirm: null,
    second: suite([fresh]),
    marks: [],
    stubs: [],
    unit: unknownUnit,
    testCalls: 1,
    ...more,
  };
}

test("the honest facts pass, so that each fault below is the one that is reported", () => {
  expect(failedChecks(judgeRed(facts()))).toEqual([]);
  expect(newTests(facts())).toEqual([fresh.id]);
});

test("an old test that asserts nothing does not count against new ones, and hides no new one of its file", () => {
  const says = (title: string) =>
    ({ code: "no_assertion", file: "tests/new.js", message: `"${title}" asserts nothing` }) as const;
  const baseline = suite([passedOld], { problems: [says("old")] });
  const first = (...titles: string[]) => suite([passedOld, fresh], { problems: titles.map(says) });
  expect(failedChecks(judgeRed(facts({ baseline, first: first("old") })))).toEqual([]);
  expect(failedChecks(judgeRed(facts({ baseline, first: first("old", "FR1 new") })))).toEqual([
    'fail asserts: a test must assert something: "FR1 new" asserts nothing; `expect(() => …).not.toThrow()` or `assert.doesNotThrow(…)` asserts that nothing is thrown',
  ]);
});

test("a base without results, and a fault of the machine, are inconclusive", () => {
  const silent = suite([], { report: false });
  expect(failedChecks(judgeRed(facts({ baseline: { ...silent, timedOut: true } })))).toEqual([
    "inconclusive not_empty: the base commit's own tests gave no report in time, so nothing can be compared",
  ]);
  expect(failedChecks(judgeRed(facts({ baseline: { ...silent, exitCode: 1 } })))).toEqual([
    "inconclusive not_empty: the runner left no complete, readable report of the base commit's own tests (exit code 1), so nothing can be compared",
  ]);
  expect(failedChecks(judgeRed(facts({ first: { ...silent, timedOut: true } })))).toEqual([
    "inconclusive not_empty: the test run did not end in time",
  ]);
  expect(
    failedChecks(judgeRed(facts({ first: { ...silent, environment: "no space left on device" } }))),
  ).toEqual(["inconclusive not_empty: no space left on device"]);
  expect(failedChecks(judgeRed(facts({ baseline: noTests, first: silent })))).toEqual([
    "inconclusive not_empty: the runner left no complete, readable report (exit code 0)",
  ]);
  expect(failedChecks(judgeRed(facts({ baseline: noTests, first: suite([]) })))[0]).toBe(
    "inconclusive not_empty: the runner found zero tests, though the changed files hold some",
  );
  expect(failedChecks(judgeRed(facts({ second: silent })))).toEqual([
    "inconclusive stable: the second run gave no report in time",
  ]);
});

test("a report that only the change loses, and a change without tests, are the test writer's fault", () => {
  expect(failedChecks(judgeRed(facts({ first: suite([], { report: false }) })))).toEqual([
    "fail not_empty: early_exit: the runner left no report, but did on the base commit: a test ends the process",
  ]);
  expect(failedChecks(judgeRed(facts({ changed: [] })))).toEqual([
    "fail not_empty: no test was added: nothing changed",
  ]);
  expect(failedChecks(judgeRed(facts({ first: suite([passedOld]), second: null, testCalls: 0 })))).toEqual([
    "fail not_empty: no new test was found; add failing tests",
    "fail criteria: no new test for FR1; put the id into the title of its test",
  ]);
  const composed = facts({ first: suite([passedOld]), second: null, criteria: null, composed: true });
  expect(failedChecks(judgeRed(composed))).toEqual([
    "fail not_empty: no new test was found; add a test that fails on the base and passes with the change; if no behaviour should change, as when a repeated test is removed, use `mettle gate refactor`",
  ]);
});

test("a link that leaves the tree cannot be frozen, so it is refused", () => {
  expect(failedChecks(judgeRed(facts({ links: ["tests/data"] })))).toEqual([
    "fail links: a link must not leave the tree: tests/data",
  ]);
});

test("each failure of a new test is accepted or refused for its own reason, which lists what would be accepted", () => {
  const hint =
    '; RED is a failed assertion, "not implemented" thrown by a planned file, or any error or timeout of a test that calls it first';
  const reasonOf = (more: Partial<TestResult>) => {
    const first = suite([passedOld, { ...fresh, ...more }]);
    return failedChecks(judgeRed(facts({ first, second: first })))
      .find((text) => text.startsWith("fail right_reason"))
      ?.replace(`fail right_reason: ${fresh.id}: `, "")
      .replace(hint, "");
  };
  const source = { frames: ["src/a.js:2:3", "tests/new.js:1:1"] };
  const named = {
    files: ["src/a.js"],
    reached: new Set([fresh.id]),
    uncompiled: new Map(),
    mistake: null,
    inline: new Map(),
  };
  const thrown = suite([passedOld, { ...fresh, kind: "other-throw" }]);
  const judged = (more: Partial<RedFacts>) =>
    failedChecks(judgeRed(facts({ first: thrown, second: thrown, ...more })));
  expect(judged({})).toEqual([expect.stringContaining(hint)]);
  // It reached the unit, or crashed in it.
  expect(judged({ unit: named })).toEqual([]);
  expect(reasonOf({ kind: "assertion" })).toBe(undefined);
  expect(reasonOf({ kind: "not-implemented", ...source })).toBe(undefined);
  expect(reasonOf({ kind: "hook", message: "not implemented: Cart", ...source })).toBe(undefined);
  expect([
    reasonOf({ kind: "not-implemented" }),
    reasonOf({ kind: "not-implemented", frames: [] }),
    reasonOf({ kind: "other-throw", message: "boom" }),
    reasonOf({ kind: "other-throw", message: "boom", ...source }),
    reasonOf({ kind: "other-throw", message: "cart.total is not a function" }),
    reasonOf({ kind: "timeout" }),
    reasonOf({ kind: "hook", message: "no database" }),
    reasonOf({ kind: "hook", message: "not implemented: said by the test" }),
    reasonOf({ kind: "crash", status: "pending" }),
    reasonOf({ kind: "load", message: "SyntaxError" }),
  ]).toEqual([
    "throws its own not-implemented marker at tests/new.js:1:1, not the unit under test",
    "throws not implemented, but its stack does not contain the unit under test",
    "throws in the test itself at tests/new.js:1:1: boom",
    "fails by an error in the source at src/a.js:2:3: boom",
    "throws in the test itself at tests/new.js:1:1: cart.total is not a function",
    "times out",
    "fails in a hook, before or after the test: no database",
    "fails in a hook, before or after the test: not implemented: said by the test",
    "its process ended before the test did",
    "does not load: SyntaxError",
  ]);
});

test("tests that exist on the base are not new, and those that failed there are listed and block nobody", () => {
  const broken = result("tests/bad.js::bad");
  const unloaded = { loadErrors: [{ file: "tests/gone.js", message: "no module" }] };
  const verdict = judgeRed(
    facts({
      baseline: suite([passedOld, broken], unloaded),
      first: suite([passedOld, broken, fresh], unloaded),
    }),
  );
  expect(failedChecks(verdict)).toEqual([]);
  expect(verdict.findings.map(({ code, testId }) => `${code} ${testId}`)).toEqual([
    "pre-existing tests/bad.js::bad",
    "pre-existing tests/gone.js",
  ]);
});

test("an old test that fails once and passes again is listed, a removed one is refused", () => {
  const first = suite([{ ...passedOld, status: "failed", kind: "assertion" }, fresh]);
  const wavering = judgeRed(facts({ first, confirm: suite([passedOld, fresh]) }));
  expect([failedChecks(wavering), wavering.findings.map(({ code }) => code)]).toEqual([[], ["flaky"]]);
  const gone = judgeRed(facts({ first: suite([fresh]), confirm: suite([fresh]) }));
  expect(failedChecks(gone)).toEqual([
    "fail old_tests: passed on the base commit and must still pass: tests/old.js::old (gone); add new tests beside them, or let a person accept the change: mettle resume RUN --accept-test ID",
  ]);
});

test("two new tests of one name are refused in a run, and named in a change that was made without one", () => {
  const again = { ...fresh, id: `${fresh.id}#2` };
  const both = facts({ first: suite([passedOld, fresh, again]), second: suite([passedOld, fresh, again]) });
  expect(failedChecks(judgeRed(both))).toEqual([`fail unique: duplicate test names: ${again.id}`]);
  const { checks, findings } = judgeRed({ ...both, composed: true });
  expect([failedChecks({ checks }), findings.map(({ code, testId }) => [code, testId])]).toEqual([
    [],
    expect.arrayContaining([["same_name", again.id]]),
  ]);
});

test("criteria that were not given are reported as unchecked", () => {
  const verdict = judgeRed(facts({ criteria: null }));
  expect([verdict.outcome, verdict.findings.map(({ message }) => message)]).toEqual([
    "pass",
    ["criteria: not checked"],
  ]);
});

test("the same faults give the same signature", () => {
  const passing = (message: string) => {
    const now = suite([passedOld, { ...fresh, status: "passed", kind: null, message }]);
    return judgeRed(facts({ first: now, second: now })).signature;
  };
  expect(passing("a")).toBe(passing("b"));
  expect(passing("a")).not.toBe(judgeRed(facts({ criteria: ["FR1", "FR2"] })).signature);
});

verifies(
  "PRV-22",
  "a row of a table passes already without refusal if another row of the table fails",
  () => {
    const rows = [
      result("tests/test_gcd.py::test_gcd[1-2]"),
      result("tests/test_gcd.py::test_gcd[0-0]", passes),
      result("tests/test_gcd.py::test_gcd[0-1]", passes),
      result("gcd_test.go::TestGcd::odd"),
      result("gcd_test.go::TestGcd::zero", passes),
    ];
    const table = { ...facts(), criteria: null, first: suite([passedOld, ...rows]), second: suite(rows) };
    const { verdict, findings } = judgeRed(table);
    expect(verdict).toBe("pass");
    expect(findings.filter(({ code }) => code === "passes_already").map(({ message }) => message)).toEqual([
      "2 rows of a table pass before implementation, so they do not test it: tests/test_gcd.py::test_gcd[0-0], tests/test_gcd.py::test_gcd[0-1]: another row of its table fails",
      "passes before implementation, so it does not test it: gcd_test.go::TestGcd::zero: another row of its table fails",
    ]);
  },
);

test("a test that passes beside one that fails is left to mutants, unless it is all that a criterion has", () => {
  const tests = [
    result("tests/a.test.js::FR1 rounds"),
    result("tests/a.test.js::FR1 keeps the rest", passes),
    result("tests/a.test.js::FR2 is there", passes),
  ];
  const given = {
    ...facts({ criteria: ["FR1", "FR2"] }),
    first: suite([passedOld, ...tests]),
    second: suite(tests),
  };
  const fails = (more: Partial<RedFacts>) =>
    judgeRed({ ...given, leavesGuards: true, ...more }).checks.find(({ name }) => name === "fails");
  expect(fails({})?.tests).toEqual(["tests/a.test.js::FR2 is there"]);
  expect(fails({ criteria: null })?.verdict).toBe("pass");
  expect(guardsOf({ ...given, leavesGuards: true })).toEqual(["tests/a.test.js::FR1 keeps the rest"]);
  const alone = suite([passedOld, ...tests.slice(1)]);
  expect(fails({ criteria: null, first: alone, second: alone })?.verdict).toBe("fail");
});

test("a condition that skips nothing here is a finding of a change, and refused where it skips a test", () => {
  const marks = ["mark.skipif", "test.skipIf", "skipUnless"].map((what) => ({
    path: "tests/new.py",
    line: 3,
    kind: "skip" as const,
    what,
  }));
  const ran = result("tests/new.py::test_it");
  const judged = (more: Partial<RedFacts>, status: TestResult["status"] = "failed") => {
    const tests = suite([passedOld, ran, { ...result("tests/new.py::test_other"), status }]);
    return judgeRed({
      ...facts(),
      criteria: null,
      marks,
      first: tests,
      second: tests,
      composed: true,
      ...more,
    });
  };
  const skipped = (verdict: ReturnType<typeof judgeRed>) =>
    verdict.checks.find(({ name }) => name === "no_skip")?.verdict;
  expect(skipped(judged({}))).toBe("pass");
  expect(judged({}).findings.filter(({ code }) => code === "conditional_skip")).toHaveLength(3);
  expect(skipped(judged({}, "skipped"))).toBe("fail");
  expect(skipped(judged({ composed: false }))).toBe("fail");
  expect(skipped(judged({ marks: marks.map((one) => ({ ...one, what: "mark.skip" })) }))).toBe("fail");
});

test("a table of which every row passes already is refused, and so is another test of the file", () => {
  const tests = [
    result("tests/test_a.py::test_new[1]"),
    result("tests/test_a.py::test_same[1]", passes),
    result("tests/test_a.py::test_same[2]", passes),
    result("tests/test_b.py::test_new[2]", passes),
    result("tests/test_a.py::test_plain", passes),
    result("tests/a.test.js::suite::fails"),
    result("tests/a.test.js::suite::passes", passes),
  ];
  const judged = judgeRed({ ...facts(), criteria: null, first: suite([passedOld, ...tests]) });
  expect(judged.checks.find(({ name }) => name === "fails")?.tests).toEqual(
    tests.filter(({ status }) => status === "passed").map(({ id }) => id),
  );
});

test("mutants are offered for a test that passes without the change only where the language has some", () => {
  const offered = (id: string) => {
    const first = suite([passedOld, result(id, passes)]);
    const checks = judgeRed({ ...facts(), criteria: null, first, composed: true }).checks;
    return checks.find(({ name }) => name === "fails")?.reason.includes("--characterize");
  };
  expect(offered("tests/test_a.py::test_same")).toBe(true);
  expect(offered("a_test.go::TestSame")).toBe(false);
});

test("an unstable test is refused, unless it passes already and a person accepted it", () => {
  const [row, other] = [result("tests/new.js::one", passes), result("tests/new.js::two")];
  const turned = { second: suite([result(row.id), result(other.id), fresh]) };
  const first = suite([passedOld, fresh, row, other]);
  const judged = (accepted: readonly string[], second = turned.second) =>
    judgeRed({ ...facts(), criteria: null, first, second, accepted }).checks.find(
      ({ name }) => name === "stable",
    );
  expect(judged([])).toMatchObject({
    verdict: "fail",
    tests: [row.id],
    reason: `flaky: different result in a second, shuffled run: ${row.id}; let it not depend on the order or the state that other tests leave`,
  });
  expect(judged([row.id])?.verdict).toBe("pass");
  const both = suite([result(row.id), result(other.id, passes), fresh]);
  expect(judged([row.id, other.id], both)?.tests).toEqual([other.id]);
});

verifies("PRV-22", "rows of one test call in a loop are a table, other tests of the file are not", () => {
  const [row, other] = ["tests/new.js::adds 2", "tests/new.js::FR1 new too"];
  const all = [passedOld, fresh, result("tests/new.js::adds 1"), result(row, passes), result(other, passes)];
  const given = { first: suite(all), second: suite(all.slice(1)) };
  const tables = [{ path: "tests/new.js", titles: ["adds ", ""] }];
  const refused = judgeRed(facts({ ...given, tables })).checks.find(({ name }) => name === "fails");
  expect(refused?.tests).toEqual([other]);
  expect(judgeRed(facts(given)).checks.find(({ name }) => name === "fails")?.tests).toEqual([row, other]);
});

verifies(
  "PRV-22",
  "a test that must only not raise is accepted by its author's comment or by a person",
  () => {
    const made = result("tests/test_queen.py::test_valid", {
      kind: "not-implemented",
      frames: ["queen.py:2:1"],
    });
    const mark = { kind: "no_assertion", path: "tests/test_queen.py", line: 4, what: "test_valid" } as const;
    const judged = (more: Partial<RedFacts>) =>
      judgeRed(
        facts({ criteria: null, first: suite([passedOld, made]), second: null, marks: [mark], ...more }),
      );
    const refused = judged({}).checks.find(({ name }) => name === "asserts");
    expect(refused).toMatchObject({ verdict: "fail", acceptable: true, tests: [made.id] });
    expect(refused?.reason).toContain("`must not raise: REASON`; a person can accept it: mettle resume RUN");
    const text = "# must not raise: this place is valid\ndef test_valid(self):\n    Queen(2, 2)\n";
    const noted = judged({ mustNotThrow: mustNotThrowNotes({ path: mark.path, text }) });
    const accepted = judged({ accepted: [made.id] });
    expect([failedChecks(noted), failedChecks(accepted)]).toEqual([[], []]);
    const message = 'tests/test_queen.py:4: "test_valid" asserts nothing but that no error is raised: ';
    expect([noted, accepted].map(({ findings }) => findings[0]?.message)).toEqual([
      `${message}this place is valid`,
      `${message}a person accepted it`,
    ]);
    // JavaScript has an assertion for it.
    const script = { ...mark, path: "tests/new.js", what: "FR1 new" };
    expect(judged({ first: suite([passedOld, fresh]), marks: [script], accepted: [fresh.id] }).verdict).toBe(
      "fail",
    );
  },
);
