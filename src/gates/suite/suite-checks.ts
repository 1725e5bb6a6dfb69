/** The checks of a test run in GREEN and the final verification: required ids, regressions, and the cause of a missing report. */
import { failureSignature } from "../../evidence/failure-signature.ts";
import { unfinishedReason, unfinishedTests } from "../base/unfinished-tests.ts";
import { failed, shortList, passed, unclear } from "../check.ts";
import {
  hasResult,
  judge,
  oldFindings,
  oldTests,
  meansFailedTests,
  statusOf,
  unusableReason,
  withoutPreExisting,
  withoutTests,
  type Suite,
  type RepeatedRun,
} from "./suite.ts";
import type { Check, Finding } from "../verdict.ts";

export interface SuiteFacts extends RepeatedRun {
  /** Ids of tests that must have passed. */
  readonly required: readonly string[];
  /** Whether the same run gives its report on the RED commit: then the change caused a lost report (CORE-14). */
  readonly redHasResult: boolean;
  /** Ids of old tests that a person accepted as lost. */
  readonly accepted?: readonly string[] | undefined;
}

export function judgeSuite(facts: SuiteFacts): readonly Check[] {
  const { required } = facts;
  const doubt = doubtOf(facts);
  if (doubt !== null) return [unclear("required", doubt)];
  const { verdict, reason, missed } = judgeRequired(facts);
  return [
    verdict === "pass"
      ? passed("required", required)
      : verdict === "fail"
        ? failed("required", reason, missed)
        : unclear("required", reason),
    regressionsCheck(facts, verdict),
  ];
}

/** The required tests without old ones that are flaky: those show nothing about the change (CORE-29). */
export function steadyRequired(facts: RepeatedRun & Pick<SuiteFacts, "required">): readonly string[] {
  const flaky = new Set([...oldTests(facts).flaky, ...(facts.baseline.wavering ?? [])]);
  return facts.required.filter((id) => !flaky.has(id));
}

function judgeRequired(facts: SuiteFacts) {
  const { suite, baseline, redHasResult } = facts;
  const steady = steadyRequired(facts);
  const now = statusOf(suite);
  const open = steady.filter((id) => now.get(id) === "pending");
  const doubt = unfinishedReason(baseline, open);
  const unknown = new Set(doubt === null ? [] : open);
  const required = steady.filter((id) => !unknown.has(id));
  const wavering = new Set([...oldTests(facts).flaky, ...unfinishedTests(facts), ...unknown]);
  // What is required is not excused by its failure on the base.
  const before = withoutTests(baseline, new Set(required));
  const compared = withoutPreExisting(without(suite, wavering), before).suite;
  const { verdict, reasons, earlyExit } = judge(compared, required);
  const missed = compared.report.tests.filter((test) => test.status !== "passed").map((test) => test.id);
  const isEarly = earlyExit && redHasResult && verdict !== "pass";
  if (doubt !== null && verdict !== "fail" && !isEarly)
    return { verdict: "inconclusive", reason: doubt, missed } as const;
  if (verdict === "pass" && required.length === 0)
    return { verdict: "inconclusive", reason: "no test is required, so nothing is proven", missed } as const;
  if (!isEarly) return { verdict, reason: reasons.join("; "), missed };
  const reason = ["early_exit: the code ends the process before its tests report", ...reasons].join("; ");
  return { verdict: "fail", reason, missed, isEarlyExit: true } as const;
}

/** Why the run cannot be judged; null where it can. */
function doubtOf({ suite, baseline }: SuiteFacts): string | null {
  return suite.environment ?? unusableReason(baseline);
}

function regressionsCheck(facts: SuiteFacts, required: Check["verdict"]): Check {
  if (!hasResult(facts.baseline))
    return unclear(
      "regressions",
      "the base commit's own tests gave no report in time, so nothing can be compared",
    );
  const { required: requiredIds, accepted = [] } = facts;
  const lost = oldTests(facts).lost.filter((id) => !requiredIds.includes(id) && !accepted.includes(id));
  if (lost.length === 0) return passed("regressions");
  if (required === "inconclusive")
    return unclear("regressions", "the run did not report the tests that passed on the base commit");
  const unfinished = unfinishedTests(facts);
  const doubt = unfinishedReason(facts.baseline, lost);
  if (doubt !== null && lost.every((id) => unfinished.has(id))) return unclear("regressions", doubt);
  const now = statusOf(facts.suite);
  const broken = lost.filter((id) => now.get(id) === "failed" || now.get(id) === "pending");
  const missing = lost.filter((id) => !broken.includes(id));
  const reasons = [
    ...(broken.length > 0 ? [`passed on the base commit and fails now: ${shortList(broken)}`] : []),
    ...(missing.length > 0
      ? [
          `passed on the base commit and does not run now: ${shortList(missing.map((id) => `${id} (${now.get(id) ?? "gone"})`))}`,
        ]
      : []),
  ];
  return failed("regressions", reasons.join("; "), lost);
}

export function suiteFindings(facts: SuiteFacts): readonly Finding[] {
  const early = doubtOf(facts) === null && judgeRequired(facts).isEarlyExit === true;
  const message = "the same run gave a whole report on the RED commit";
  return [
    ...oldFindings(facts),
    ...(early ? [{ code: "early_exit", severity: "block", message } as const] : []),
  ];
}

/** The run without the failures of these tests; exit code 1 is excused when they alone explain it. */
function without(suite: Suite, ids: ReadonlySet<string>): Suite {
  if (ids.size === 0) return suite;
  const exitCode = meansFailedTests(suite.exitCode) ? 0 : suite.exitCode;
  return { ...withoutTests(suite, ids), exitCode };
}

/** Equal when it fails in the same way again: the failing tests with their messages, and the names of other failed checks. */
export function suiteSignature(
  checks: readonly Check[],
  { suite, baseline }: Pick<SuiteFacts, "suite" | "baseline">,
): string {
  const fails = checks.filter((check) => check.verdict === "fail");
  const tests = failureSignature(withoutPreExisting(suite, baseline).suite.report);
  const names = fails.map(({ name, reason }) =>
    suiteChecks.has(name) && tests !== null ? name : `${name} ${reason}`,
  );
  return [...names, ...(tests === null ? [] : [tests])].join("\n");
}

const suiteChecks = new Set(["required", "regressions"]);
