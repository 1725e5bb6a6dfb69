/** A finished run of a test suite as gates see it, and its comparison with the base commit. */
import { assertsNothing } from "../../evidence/asserts-nothing.ts";
import { judgeRun, type Judgement } from "../../evidence/judge.ts";
import type { Finding } from "../verdict.ts";
import type { TestProblem, TestReport, TestResult } from "../../evidence/test-result.ts";

export interface Suite {
  readonly report: TestReport;
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** The machine's fault that prevents a judgement: the runner did not start, the disk is full. */
  readonly environment: string | null;
  /** On a base: folders of packages with tests of which none passes. They excuse no later failure. */
  readonly unusable?: readonly string[];
  /** On a base that ran twice: ids of tests that passed in the first run alone. */
  readonly wavering?: readonly string[];
  /** On a base that ran twice: a test that passed in one run did not finish in the other. */
  readonly isRestless?: boolean;
  /** On a base: its second run gave no report in time, so nothing tells why an old test was lost. */
  readonly isSilent?: boolean;
  /** Parts of the project's test command that no proof executes, as its settings accept. */
  readonly unjudged?: readonly string[];
}

/** A commit without test files: nothing ran, and that is correct. */
export const noTests: Suite = {
  report: { report: true, tests: [], loadErrors: [], problems: [] },
  exitCode: 0,
  timedOut: false,
  environment: null,
};

export function idsWith(suite: Suite, ...status: readonly TestResult["status"][]): readonly string[] {
  return suite.report.tests.filter((test) => status.includes(test.status)).map((test) => test.id);
}

export function statusOf(suite: Suite): ReadonlyMap<string, TestResult["status"]> {
  return new Map(suite.report.tests.map((test) => [test.id, test.status]));
}

export interface SuiteComparison {
  /** The run without failures that exist on the base. */
  readonly suite: Suite;
  /** Ids, and files that do not load, that fail on the base and still fail (CORE-29). */
  readonly preExisting: readonly string[];
}

/** Why a base cannot be compared with; null where it can. A suite in which nothing passes says nothing about the code. */
export function unusableReason({ unusable = [], isSilent = false }: Suite): string | null {
  if (isSilent)
    return "the base commit's own tests gave no report in time when they ran again, so nothing can be compared";
  if (unusable.length === 0) return null;
  const where = unusable.join() === "." ? "" : ` in ${unusable.join(", ")}`;
  return `none of the base commit's own tests passes${where} in a clean checkout, so nothing can be compared`;
}

/** Whether there are tests and none passes. Stubs that wait for their implementation do not count against the environment. */
export function nothingPasses({ report }: Suite): boolean {
  const { tests, loadErrors, problems } = report;
  const isWell = tests.some(({ status, kind }) => status === "passed" || kind === "not-implemented");
  const isBroken =
    tests.some(({ status }) => status === "failed" || status === "pending") ||
    loadErrors.length > 0 ||
    problems.some(({ code }) => hidingProblems.has(code));
  return isBroken && !isWell;
}

/** Problems that leave the tests of a file unknown. */
const hidingProblems: ReadonlySet<TestProblem["code"]> = new Set([
  "early_exit",
  "killed",
  "tests_not_executed",
  "interrupted",
]);

export function withoutTests(suite: Suite, ids: ReadonlySet<string>): Suite {
  const tests = suite.report.tests.filter(({ id }) => !ids.has(id));
  return { ...suite, report: { ...suite.report, tests } };
}

/** A file that the report does not mention is unknown, even if it was unknown on the base. */
export function withoutPreExisting(suite: Suite, baseline: Suite): SuiteComparison {
  if (unusableReason(baseline) !== null) return { suite, preExisting: [] };
  const before = new Map(baseline.report.tests.map((test) => [test.id, test]));
  const broken = new Set(baseline.report.loadErrors.map((error) => error.file));
  const known = baseline.report.problems.filter(({ code }) => code !== "tests_not_executed");
  const problems = new Set(known.map(problemKey));
  const { tests, loadErrors } = suite.report;
  const stillBroken = (test: TestResult) => {
    const old = before.get(test.id);
    return (
      old !== undefined && isBroken(old) && isBroken(test) && (!assertsNothing(old) || assertsNothing(test))
    );
  };
  const stillUnloaded = ({ file }: { readonly file: string }) => broken.has(file);
  const preExisting = [
    ...tests.filter(stillBroken).map((test) => test.id),
    ...loadErrors.filter(stillUnloaded).map((error) => error.file),
  ];
  if (preExisting.length === 0 && problems.size === 0) return { suite, preExisting };
  const report: TestReport = {
    ...suite.report,
    tests: tests.filter((test) => !stillBroken(test)),
    loadErrors: loadErrors.filter((error) => !stillUnloaded(error)),
    problems: suite.report.problems.filter((problem) => !problems.has(problemKey(problem))),
  };
  const explained = preExisting.length > 0 || report.problems.length < suite.report.problems.length;
  // A helper without tests is a problem of both runs and explains neither exit code.
  const isExcused = explained && meansFailedTests(baseline.exitCode) && meansFailedTests(suite.exitCode);
  return {
    suite: { ...suite, report, exitCode: isExcused ? 0 : suite.exitCode },
    preExisting,
  };
}

/** Whether a test fails under the project's own command; a test without assertions passes there. */
export function failsForItsProject(test: TestResult): boolean {
  return isBroken(test) && !assertsNothing(test);
}

function isBroken({ status }: TestResult): boolean {
  return status === "failed" || status === "pending";
}

/** Whether the exit code means failed tests only: 1, 2 for go's build errors, 101 for cargo's. */
export function meansFailedTests(exitCode: number | null): boolean {
  return exitCode === 1 || exitCode === 2 || exitCode === 101;
}

/** Tests that passed on the base and do not pass in this run; a test without assertions passes if nothing is thrown. */
export function regressions(suite: Suite, baseline: Suite): readonly string[] {
  const passes = (test: TestResult) => test.status === "passed" || assertsNothing(test);
  const now = new Set(suite.report.tests.filter(passes).map(({ id }) => id));
  return baseline.report.tests.flatMap((test) => (passes(test) && !now.has(test.id) ? [test.id] : []));
}

export interface RepeatedRun {
  readonly suite: Suite;
  /** The repeated run; null where nothing had to be confirmed. */
  readonly confirm: Suite | null;
  readonly baseline: Suite;
}

export interface OldTests {
  /** They passed on the base and in neither run. */
  readonly lost: readonly string[];
  /** They failed once and passed again: flaky, and not caused by the change. */
  readonly flaky: readonly string[];
}

/** The results of the tests that passed on the base. */
export function oldTests({ suite, confirm, baseline }: RepeatedRun): OldTests {
  const first = regressions(suite, baseline);
  const again = new Set(confirm === null ? first : regressions(confirm, baseline));
  return { lost: first.filter((id) => again.has(id)), flaky: first.filter((id) => !again.has(id)) };
}

/** Whether the run gave results that can be compared. */
export function hasResult({ report, timedOut, environment }: Suite): boolean {
  return report.report && !timedOut && environment === null;
}

export function oldFindings(twice: RepeatedRun): readonly Finding[] {
  const { preExisting } = withoutPreExisting(twice.suite, twice.baseline);
  const wavering = new Set(twice.baseline.wavering);
  const found = (code: string, message: string) => (id: string) =>
    ({ code, severity: "finding", message: `${message}: ${id}`, testId: id }) as const;
  return [
    ...(twice.suite.unjudged ?? []).map((command): Finding => ({
      code: "unjudged",
      severity: "finding",
      message: `the settings exclude \`${command}\` of the test script from the verdict`,
    })),
    ...preExisting
      .filter((id) => !wavering.has(id))
      .map(found("pre-existing", "already fails on the base commit")),
    ...[...wavering].map(found("flaky", "passed in one of two runs of the base commit, so it is not judged")),
    ...oldTests(twice).flaky.map(found("flaky", "an old test failed once and passed again")),
  ];
}

export function judge(suite: Suite, required: readonly string[]): Judgement {
  const { report, exitCode, timedOut } = suite;
  return judgeRun({ report, exitCode, timedOut, required });
}

function problemKey({ code, file }: TestProblem): string {
  return `${code} ${file ?? ""}`;
}
