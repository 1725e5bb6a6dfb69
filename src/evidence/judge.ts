import type { TestProblem, TestReport } from "./test-result.ts";

/** The finished process of a test run. */
export interface JudgedRun {
  readonly report: TestReport;
  /** Null when a signal ended the process. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** Ids of tests that must be in the report and have passed. */
  readonly required: readonly string[];
}

/** The fact that contradicts a pass. */
export type ObjectionKind = "deadline" | "report" | "exit code" | "required tests" | "other tests";

export interface Judgement {
  readonly verdict: "pass" | "fail" | "inconclusive";
  /** Each begins with the wrong fact: `exit code: …`. Empty for a pass. */
  readonly reasons: readonly string[];
  readonly wrong: readonly ObjectionKind[];
  /**
   * The runner wrote no report, or a file ended before its tests. Inconclusive here; a gate turns it into `fail` with code
   * `early_exit` when the same run works without the change (CORE-14).
   */
  readonly earlyExit: boolean;
}

interface Objection {
  readonly wrong: ObjectionKind;
  /** `fail`: a test failed. `inconclusive`: the run cannot be judged. */
  readonly weight: "fail" | "inconclusive";
  readonly reason: string;
}

/**
 * A run passes only if the exit code is 0, the report is complete, every required test passed and no other test failed or is
 * pending (CORE-15). A certain failure outweighs a doubt, except in a run that timed out or has no report, which is always
 * inconclusive.
 */
export function judgeRun(run: JudgedRun): Judgement {
  const unjudgeable = [...deadline(run), ...noReport(run)];
  const objections =
    unjudgeable.length > 0 ? unjudgeable : [...exitCode(run), ...required(run), ...others(run)];
  return {
    verdict: verdictOf(objections),
    reasons: objections.map(({ wrong, reason }) => `${wrong}: ${reason}`),
    wrong: [...new Set(objections.map(({ wrong }) => wrong))],
    earlyExit: !run.timedOut && (!run.report.report || run.report.problems.some(isEarlyExit)),
  };
}

function verdictOf(objections: readonly Objection[]): Judgement["verdict"] {
  if (objections.some(({ weight }) => weight === "fail")) return "fail";
  return objections.length > 0 ? "inconclusive" : "pass";
}

function deadline({ timedOut, report }: JudgedRun): readonly Objection[] {
  if (!timedOut) return [];
  const open = report.tests.filter(({ status }) => status === "pending").map(({ id }) => id);
  const where = open.length > 0 ? `; unfinished: ${list(open)}` : "";
  return [{ wrong: "deadline", weight: "inconclusive", reason: `the run did not end in time${where}` }];
}

function noReport({ report, exitCode }: JudgedRun): readonly Objection[] {
  if (report.report) return [];
  const reason = `the runner left no complete, readable report (exit code ${exitCode ?? "none"})`;
  return [{ wrong: "report", weight: "inconclusive", reason }];
}

function exitCode({ exitCode: code }: JudgedRun): readonly Objection[] {
  if (code === 0) return [];
  if (code === null)
    return [{ wrong: "exit code", weight: "inconclusive", reason: "a signal ended the runner" }];
  // With failed tests the exit code adds nothing; alone it shows that something is wrong, but not what.
  return [{ wrong: "exit code", weight: "inconclusive", reason: `it is ${code}, not 0` }];
}

function required({ report, required: ids }: JudgedRun): readonly Objection[] {
  const found = new Map(report.tests.map((test) => [test.id, test.status]));
  const lost = report.problems.some(isEarlyExit);
  const missing = ids.filter((id) => !found.has(id));
  const unproven = ids.filter((id) => ["skipped", "todo"].includes(found.get(id) ?? ""));
  return [
    ...(missing.length > 0
      ? [
          {
            wrong: "required tests" as const,
            weight: lost ? ("inconclusive" as const) : ("fail" as const),
            reason: `${missing.length} not in the report: ${list(missing)}`,
          },
        ]
      : []),
    ...(unproven.length > 0
      ? [
          {
            wrong: "required tests" as const,
            weight: "fail" as const,
            reason: `${unproven.length} skipped or todo: ${list(unproven)}`,
          },
        ]
      : []),
    ...unsuccessful(report, (id) => ids.includes(id), "required tests"),
  ];
}

function others({ report, required: ids }: JudgedRun): readonly Objection[] {
  const nothing: Objection = {
    wrong: "other tests",
    weight: "inconclusive",
    reason: "the run executed no test",
  };
  const executed = report.tests.some(({ status }) => status === "passed" || status === "failed");
  return [
    ...unsuccessful(report, (id) => !ids.includes(id), "other tests"),
    ...report.loadErrors.map(({ file, message }): Objection => ({
      wrong: "other tests",
      weight: "fail",
      reason: `${file} does not load: ${message}`,
    })),
    ...report.problems.map((problem): Objection => ({
      wrong: "other tests",
      weight: isCertain(problem) ? "fail" : "inconclusive",
      reason: [problem.code, problem.file, problem.message].filter((part) => part !== null).join(": "),
    })),
    ...(executed || report.loadErrors.length > 0 ? [] : [nothing]),
  ];
}

function unsuccessful(
  report: TestReport,
  concerns: (id: string) => boolean,
  wrong: ObjectionKind,
): readonly Objection[] {
  const relevant = report.tests.filter(({ id }) => concerns(id));
  const failed = relevant.filter(({ status }) => status === "failed").map(({ id }) => id);
  const pending = relevant.filter(({ status }) => status === "pending").map(({ id }) => id);
  return [
    ...(failed.length > 0
      ? [{ wrong, weight: "fail" as const, reason: `${failed.length} failed: ${list(failed)}` }]
      : []),
    ...(pending.length > 0
      ? [
          {
            wrong,
            weight: "inconclusive" as const,
            reason: `${pending.length} never finished: ${list(pending)}`,
          },
        ]
      : []),
  ];
}

function isEarlyExit({ code }: TestProblem): boolean {
  return code === "no_tests" || code === "early_exit" || code === "killed";
}

/** The code or the test is at fault, independent of the machine. */
function isCertain({ code }: TestProblem): boolean {
  return code === "unhandled" || code === "only" || code === "no_assertion" || code === "hook";
}

function list(ids: readonly string[]): string {
  const shown = ids.slice(0, 20).join(", ");
  return ids.length > 20 ? `${shown} and ${ids.length - 20} more` : shown;
}
