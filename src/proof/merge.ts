/** Combines the runs of several packages into one suite. A failure in one package never excuses one in another. */
import type { TestProblem, TestReport } from "../evidence/test-result.ts";
import { noTests, type Suite } from "../gates/suite/suite.ts";

/** The report of a package's run with paths relative to the repository. */
export function withPrefix(report: TestReport, prefix: string): TestReport {
  if (prefix === "") return report;
  const { tests, loadErrors, problems } = report;
  return {
    ...report,
    tests: tests.map((test) => ({
      ...test,
      id: `${prefix}${test.id}`,
      frames: test.frames.map((frame) => `${prefix}${frame}`),
    })),
    loadErrors: loadErrors.map((error) => ({ ...error, file: `${prefix}${error.file}` })),
    problems: problems.map((problem) => ({
      ...problem,
      file: problem.file === null ? null : `${prefix}${problem.file}`,
    })),
    ...(report.compileErrors === undefined
      ? {}
      : {
          compileErrors: report.compileErrors.map((error) => ({ ...error, file: `${prefix}${error.file}` })),
        }),
  };
}

export interface PackageSuite {
  readonly prefix: string;
  readonly suite: Suite;
}

/** @param alone the repository has one package, with or without tests at this commit */
export function mergeSuites(parts: readonly PackageSuite[], alone: boolean): Suite {
  const [first] = parts;
  if (first === undefined) return noTests;
  if (alone) return first.suite;
  const suites = parts.map(({ suite }) => suite);
  return {
    report: {
      report: suites.every(({ report }) => report.report),
      tests: suites.flatMap(({ report }) => report.tests),
      loadErrors: suites.flatMap(({ report }) => report.loadErrors),
      problems: parts.flatMap(problemsOf),
      compileErrors: suites.flatMap(({ report }) => report.compileErrors ?? []),
    },
    exitCode: exitCodeOf(suites.map(({ exitCode }) => exitCode)),
    timedOut: suites.some(({ timedOut }) => timedOut),
    environment: suites.find(({ environment }) => environment !== null)?.environment ?? null,
  };
}

/** An exit code that no runner uses for failed tests has priority, then a signal. */
function exitCodeOf(codes: readonly (number | null)[]): number | null {
  if (codes.includes(null)) return null;
  const bad = codes.filter((code) => code !== 0);
  return bad.find((code) => code !== 1) ?? bad[0] ?? 0;
}

function problemsOf({ prefix, suite }: PackageSuite): readonly TestProblem[] {
  const { report, exitCode, timedOut, environment } = suite;
  const { tests, loadErrors, problems } = report;
  const folder = prefix === "" ? "." : prefix.slice(0, -1);
  const located = problems.map((problem) => ({ ...problem, file: problem.file ?? folder }));
  const isExplained =
    exitCode === 0 ||
    !report.report ||
    timedOut ||
    environment !== null ||
    [...loadErrors, ...problems].length > 0 ||
    tests.some(({ status }) => status === "failed" || status === "pending");
  const message = `the runner's exit code is ${exitCode ?? "none"}, though nothing failed`;
  // Another package's failures would hide this exit code.
  return isExplained ? located : [...located, { code: "interrupted", file: folder, message }];
}
