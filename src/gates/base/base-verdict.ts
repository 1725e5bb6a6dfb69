/**
 * Judges the base commit's own tests before any agent starts: whether proofs are possible, and which tests fail already. If
 * nothing passes on the base, its environment is at fault, not its code (PRV-01, PRV-02).
 */
import { fileOfTest } from "../../evidence/test-ids.ts";
import { counted } from "../../lib/counted.ts";
import { failsForItsProject, hasResult, nothingPasses, type Suite } from "../suite/suite.ts";

export interface BasePackage {
  /** `.` for the root. */
  readonly folder: string;
  /** Name and version of its runner, for display. */
  readonly runner: string;
  readonly suite: Suite;
  /** Test file -> number of tests in its text. */
  readonly files: ReadonlyMap<string, number>;
}

export type BaseVerdict =
  /** There is no test yet, which is allowed. */
  { readonly type: "empty" } | { readonly type: "unusable"; readonly why: string } | UsableBase;

export interface UsableBase {
  readonly type: "usable";
  /** Number of tests; files that do not load count by their text. */
  readonly tests: number;
  /** Ids of failing tests, and files whose tests are unknown. */
  readonly failing: readonly string[];
  /** Number of failing and unknown tests. */
  readonly count: number;
  /** True when more than a tenth of the tests, or all of a package, fail: a person must accept them. */
  readonly needsPerson: boolean;
}

export function judgeBase(packages: readonly BasePackage[]): BaseVerdict {
  const holding = packages.filter(holdsTests);
  if (holding.length === 0) return { type: "empty" };
  for (const one of holding) {
    const why = noResultReason(one);
    if (why !== null) return { type: "unusable", why };
  }
  const lost = holding.filter(isLost);
  if (lost.length === holding.length)
    return { type: "unusable", why: holding.map((one) => allFailReason(one)).join("; ") };
  const parts = holding.map(countOf);
  const tests = parts.reduce((sum, part) => sum + part.tests, 0);
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  return {
    type: "usable",
    tests,
    failing: parts.flatMap(({ failing }) => failing),
    count,
    needsPerson: lost.length > 0 || count * 10 > tests,
  };
}

/** A file in a test path without tests, such as a helper, does not count. */
function holdsTests({ suite, files }: BasePackage): boolean {
  const { tests, loadErrors } = suite.report;
  return tests.length > 0 || loadErrors.length > 0 || [...files.values()].some((count) => count > 0);
}

function noResultReason({ folder, runner, suite }: BasePackage): string | null {
  const where = placed(folder);
  // Every gate would have the same doubt.
  const doubt = suite.report.problems.find(
    ({ code, file }) => code === "tests_not_executed" && file === null,
  );
  if (hasResult(suite) && doubt !== undefined)
    return `not all of the base commit's own tests can be executed${where}: tests_not_executed: ${doubt.message}`;
  if (hasResult(suite)) return null;
  if (suite.environment !== null)
    return `the base commit's own tests could not be run${where}: ${suite.environment}`;
  if (suite.timedOut) return `the base commit's own tests did not end in time${where} (${runner})`;
  return `${runner} left no complete, readable report of the base commit's own tests${where} (exit code ${suite.exitCode ?? "none"})`;
}

/** Whether a package has tests and none is known to pass, or the runner reported none. */
function isLost({ suite }: BasePackage): boolean {
  return suite.report.tests.length === 0 || nothingPasses(suite);
}

function allFailReason(one: BasePackage): string {
  const { folder, runner, suite } = one;
  const { tests, loadErrors, problems } = suite.report;
  const failed = tests.filter(({ status }) => status !== "skipped" && status !== "todo");
  const unloaded = new Set(loadErrors.map(({ file }) => file));
  const facts = [
    ...(failed.length > 0
      ? [`${failed.length} of ${counted(tests.length, "test")} ${failed.length === 1 ? "fails" : "fail"}`]
      : []),
    ...(unloaded.size > 0
      ? [
          `${unloaded.size} of ${counted(one.files.size, "test file")} ${unloaded.size === 1 ? "does" : "do"} not load`,
        ]
      : []),
    ...(failed.length + unloaded.size === 0
      ? [`the report contains no test of ${counted(one.files.size, "test file")}${firstOf(problems)}`]
      : []),
  ];
  return `none of the base commit's own tests passes in a clean checkout${placed(folder)} (${runner}): ${facts.join(", ")}${exampleOf(one)}`;
}

/** The first error message. */
function exampleOf({ suite }: BasePackage): string {
  const { tests, loadErrors } = suite.report;
  const [first] = [
    ...loadErrors.map(({ file, message }) => ({ where: file, message })),
    ...tests.filter(({ status }) => status === "failed").map(({ id, message }) => ({ where: id, message })),
  ];
  const line = first?.message.split("\n").find((part) => part.trim() !== "");
  return first === undefined || line === undefined ? "" : `; ${first.where}: ${line.trim()}`;
}

function firstOf([problem]: Suite["report"]["problems"]): string {
  return problem === undefined ? "" : ` (${problem.code}: ${problem.message})`;
}

function countOf(one: BasePackage): Pick<UsableBase, "tests" | "count" | "failing"> {
  const { tests } = one.suite.report;
  const failing = tests.filter(failsForItsProject).map(({ id }) => id);
  const unknown = unknownFiles(one);
  const hidden = unknown.reduce((sum, file) => sum + Math.max(1, one.files.get(file) ?? 1), 0);
  return {
    tests: tests.length + hidden,
    count: failing.length + hidden,
    failing: [...failing, ...unknown],
  };
}

/** Files with tests that do not load, end their process or are not mentioned, and have no reported test. */
function unknownFiles({ suite, files }: BasePackage): readonly string[] {
  const { tests, loadErrors, problems } = suite.report;
  const reported = new Set(tests.map(({ id }) => fileOfTest(id)));
  const silent = problems.flatMap(({ code, file }) =>
    file !== null && code !== "no_assertion" && code !== "only" && (files.get(file) ?? 0) > 0 ? [file] : [],
  );
  const named = new Set([...loadErrors.map(({ file }) => file), ...silent]);
  return [...named].filter((file) => !reported.has(file));
}

function placed(folder: string): string {
  return folder === "." ? "" : ` in ${folder}`;
}
