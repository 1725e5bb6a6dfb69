import { expect, test } from "vitest";
import { verifies } from "../../../test/verifies.ts";
import type { TestResult } from "../../evidence/test-result.ts";
import { controlWords } from "./controls.ts";
import { judgeFinal } from "./final.ts";
import { judgeGreen, type GreenFacts } from "./green.ts";
import type { Flip } from "./flip.ts";
import { noTests, type Suite } from "./suite.ts";
import { failedChecks } from "../../../test/support/failed-checks.ts";

function result(id: string, status: TestResult["status"] = "passed", message = ""): TestResult {
  return { id, status, kind: status === "failed" ? "assertion" : null, message, frames: [] };
}

function suite(
  tests: readonly TestResult[],
  more: Partial<Suite> & { problems?: Suite["report"]["problems"] } = {},
): Suite {
  const { problems = [], ...rest } = more;
  const exitCode = tests.some(({ status }) => status === "failed") ? 1 : 0;
  return {
    ...noTests,
    exitCode,
    report: { report: true, tests: [...tests], loadErrors: [], problems },
    ...rest,
  };
}

const silent: Suite = { ...noTests, exitCode: 0, report: { ...noTests.report, report: false } };
const old = result("tests/old.js::old");
const wanted = result("tests/new.js::new");

const surrounding = { state: "not measured", why: "" } as const;
const neighbours = { state: "not measured", why: "why" } as const;
const flip: Flip = { state: "measured", values: 2, tests: 1, unmeasured: 0, passed: [] };

function facts(more: Partial<GreenFacts> = {}): GreenFacts {
  return {
    changed: ["src/a.js"],
    rules: { tests: ["tests/"], source: ["src/"] },
    frozen: { "tests/new.js": "1", "package.json": "2" },
    now: { "tests/new.js": "1", "package.json": "2" },
    links: [],
    required: [wanted.id],
    baseline: suite([old]),
    redHasResult: true,
    suite: suite([old, wanted]),
    confirm: null,
    controls: { canary: { state: "held" }, flip, neighbours, surrounding, coverage: "not measured" },
    iteration: ["src/a.js"],
    oneFilePerIteration: false,
    ...more,
  };
}

test("the honest facts pass, so that each fault below is the one that is reported", () => {
  expect(failedChecks(judgeGreen(facts()))).toEqual([]);
});

test("changed frozen files fail as frozen if they are tests, and as an ordinary path if they are settings only", () => {
  const touched = judgeGreen(
    facts({ changed: ["src/a.js", "tests/new.js"], now: { "tests/new.js": "9", "package.json": "2" } }),
  );
  expect([touched.outcome, ...failedChecks(touched)]).toEqual([
    "fail.frozen",
    "fail frozen: these files are read-only in GREEN, restore them: changed tests/new.js",
    "fail paths: only source (src/) may change in GREEN; also changed: tests/new.js",
  ]);
  const settings = judgeGreen(
    facts({ changed: ["package.json"], now: { "tests/new.js": "1", "package.json": "9" } }),
  );
  expect([settings.outcome, ...failedChecks(settings)]).toEqual([
    "fail",
    "fail frozen: these files are read-only in GREEN, restore them: changed package.json",
    "fail paths: only source (src/) may change in GREEN; also changed: package.json",
  ]);
});

test("an empty change is refused", () => {
  expect(failedChecks(judgeGreen(facts({ changed: [], iteration: [] })))).toEqual([
    "fail paths: nothing changed since the tests were frozen; write the implementation",
  ]);
});

test("two source files in one iteration are a finding, and block only where the settings say so", () => {
  const iteration = ["src/a.js", "src/b.js"];
  const free = judgeGreen(facts({ iteration }));
  expect([free.outcome, free.findings[0]]).toEqual([
    "pass",
    {
      code: "files_changed",
      severity: "finding",
      message: "source files changed in this iteration: 2 (src/a.js, src/b.js)",
    },
  ]);
  const strict = judgeGreen(facts({ iteration, oneFilePerIteration: true }));
  expect([strict.outcome, strict.findings[0]?.severity, ...failedChecks(strict)]).toEqual([
    "fail",
    "block",
    "fail one_file: one source file for each iteration, but 2 changed: src/a.js, src/b.js",
  ]);
});

test("exit code, report and required tests must all agree", () => {
  expect(failedChecks(judgeGreen(facts({ suite: suite([old, wanted], { exitCode: 1 }) })))).toEqual([
    "inconclusive required: exit code: it is 1, not 0",
  ]);
  // A helper among the tests is a problem of both runs and explains no exit code.
  const problems = [
    { code: "no_tests", file: "tests/helper.js", message: "the file holds no test" },
  ] as const;
  const withHelper = (exitCode: number) => suite([old, wanted], { exitCode, problems });
  const beside = (baseline: number) =>
    failedChecks(judgeGreen(facts({ suite: withHelper(1), baseline: withHelper(baseline) })));
  expect([beside(0), beside(1)]).toEqual([["inconclusive required: exit code: it is 1, not 0"], []]);
  expect(failedChecks(judgeGreen(facts({ suite: suite([old]) })))).toEqual([
    "fail required: required tests: 1 not in the report: tests/new.js::new",
  ]);
  expect(failedChecks(judgeGreen(facts({ suite: suite([old, result(wanted.id, "skipped")]) })))).toEqual([
    "fail required: required tests: 1 skipped or todo: tests/new.js::new",
  ]);
});

verifies("CORE-14", "a lost report is the change's fault only if the RED commit still gives one", () => {
  const heard = judgeGreen(facts({ suite: silent }));
  expect([heard.outcome, heard.findings.some(({ code }) => code === "early_exit")]).toEqual(["fail", true]);
  const unheard = judgeGreen(facts({ suite: silent, redHasResult: false }));
  expect([unheard.outcome, ...failedChecks(unheard)]).toEqual([
    "inconclusive",
    "inconclusive required: report: the runner left no complete, readable report (exit code 0)",
    "inconclusive regressions: the run did not report the tests that passed on the base commit",
  ]);
  const machine = judgeGreen(
    facts({ suite: { ...silent, environment: "no report can be written: ENOSPC" } }),
  );
  expect([machine.outcome, ...failedChecks(machine)]).toEqual([
    "inconclusive",
    "inconclusive required: no report can be written: ENOSPC",
  ]);
  expect(judgeGreen(facts({ suite: { ...silent, timedOut: true } })).outcome).toBe("inconclusive");
});

test("a base without results leaves the comparison open, and a run without required tests proves nothing", () => {
  expect(failedChecks(judgeGreen(facts({ baseline: silent })))).toEqual([
    "inconclusive regressions: the base commit's own tests gave no report in time, so nothing can be compared",
  ]);
  expect(failedChecks(judgeGreen(facts({ required: [] })))).toEqual([
    "inconclusive required: no test is required, so nothing is proven",
  ]);
  expect(
    failedChecks(judgeGreen(facts({ required: [], suite: suite([old, result("x", "failed")]) }))),
  ).toEqual(["fail required: exit code: it is 1, not 0; other tests: 1 failed: x"]);
});

test("earlier failures and flaky tests are listed, lost tests are refused", () => {
  const broken = result("tests/bad.js::bad", "failed");
  const baseline = suite([old, broken]);
  const kept = judgeGreen(facts({ baseline, suite: suite([old, broken, wanted]) }));
  expect([kept.outcome, kept.findings.find(({ code }) => code === "pre-existing")?.testId]).toEqual([
    "pass",
    broken.id,
  ]);

  const first = suite([result(old.id, "failed"), wanted]);
  const wavering = judgeGreen(facts({ suite: first, confirm: suite([old, wanted]) }));
  expect([wavering.outcome, wavering.findings.find(({ code }) => code === "flaky")?.testId]).toEqual([
    "pass",
    old.id,
  ]);

  const lost = judgeGreen(facts({ suite: first, confirm: first }));
  expect([lost.outcome, ...failedChecks(lost)]).toEqual([
    "fail",
    "fail required: exit code: it is 1, not 0; other tests: 1 failed: tests/old.js::old",
    "fail regressions: passed on the base commit and fails now: tests/old.js::old",
  ]);
});

test("the signature is that of the failing tests, whatever else of the run differs", () => {
  const failing = (message: string) =>
    judgeGreen(facts({ suite: suite([old, result(wanted.id, "failed", message)]) })).signature;
  expect(failing("expected 1 to be 2 at /tmp/a/b.js:3:4")).toBe(
    failing("expected 1 to be 2 at /tmp/c/b.js:9:9"),
  );
  expect(failing("expected 1 to be 2")).not.toBe(failing("expected 1 to be 3"));
  expect(judgeGreen(facts()).signature).toBe(undefined);
});

test("a false assertion that passes is refused, and an unmeasured canary is reported", () => {
  const passed = judgeGreen(
    facts({
      controls: {
        canary: { state: "passed", files: ["tests/new.js"] },
        flip,
        neighbours,
        surrounding,
        coverage: "not measured",
      },
    }),
  );
  expect(failedChecks(passed)).toEqual([
    "fail canary: a false assertion passed after these tests ran, so their matchers are replaced: tests/new.js",
  ]);
  const unmeasured = judgeGreen(
    facts({
      controls: {
        canary: { state: "not measured", why: "why" },
        flip,
        neighbours,
        surrounding,
        coverage: "not measured",
      },
    }),
  );
  expect([unmeasured.outcome, unmeasured.findings.at(-1)?.message]).toEqual([
    "pass",
    "canary: not measured (why)",
  ]);
});

test("an assertion that holds with another expected value is refused with test, file and line; what is not measured blocks nothing", () => {
  const place = { id: "tests/new.js::new", file: "tests/new.js", line: 4, was: "expect(sum()).toBe(3)" };
  const controls = (one: Flip) =>
    ({ canary: { state: "held" }, flip: one, neighbours, surrounding, coverage: "not measured" }) as const;
  const wrong = judgeGreen(facts({ controls: controls({ ...flip, passed: [place] }) }));
  expect(failedChecks(wrong)).toEqual([
    "fail flip: 1 assertion still passed with another expected value: tests/new.js:4 `expect(sum()).toBe(3)` of tests/new.js::new; the code must return what the test compares, without replaced matchers or reports, without objects that equal everything, and without reading its test",
  ]);
  expect(wrong.checks.find(({ name }) => name === "flip")?.tests).toEqual(["tests/new.js::new"]);
  const blind = controls({ state: "not measured", why: "why" });
  expect(judgeGreen(facts({ controls: blind })).outcome).toBe("pass");
  expect([controlWords(blind)["flip"], controlWords(controls({ ...flip, unmeasured: 3 }))["flip"]]).toEqual([
    "not measured (why)",
    "2 changed values in 1 test: all failed as they must; 3 tests not measured",
  ]);
});

test("places of changed source to look at are findings with path and line, and refuse nothing", () => {
  const place = { code: "starts_program", path: "src/a.js", line: 3, text: "execFileSync" } as const;
  const verdict = judgeGreen(facts({ toReview: [place] }));
  expect(failedChecks(verdict)).toEqual([]);
  expect(verdict.findings.find(({ code }) => code === "starts_program")).toEqual({
    code: "starts_program",
    severity: "finding",
    message: "src/a.js:3: `execFileSync` starts another program: see that it does not compute the answer",
    path: "src/a.js",
  });
});

test("the final proof runs on the approved commit only, and never on the base", () => {
  const end = {
    required: [wanted.id],
    baseline: suite([old]),
    suite: suite([old, wanted]),
    confirm: null,
    redHasResult: false,
  };
  expect(judgeFinal({ ...end, base: "b", head: "h", approved: "h" }).outcome).toBe("pass");
  expect(failedChecks(judgeFinal({ ...end, base: "b", head: "h", approved: "a" }))).toEqual([
    "fail commit: h is not the approved commit a",
  ]);
  expect(failedChecks(judgeFinal({ ...end, base: "h", head: "h", approved: "h" }))).toEqual([
    "fail commit: the commit is the base itself: nothing was built",
  ]);
});
