/** What GREEN and the final verification ask of a test run: required ids, regressions, and who is to blame for silence. */
import { failureSignature } from "../evidence/failure-signature.ts";
import { failed, listed, passed, unclear } from "./check.ts";
import { judge, regressions, withoutPreExisting, type Suite } from "./suite.ts";
import type { Check, Finding } from "./verdict.ts";

export interface SuiteFacts {
  readonly required: readonly string[];
  readonly baseline: Suite;
  readonly suite: Suite;
  readonly confirm: Suite | null;
  readonly redHeard: boolean;
}

export function judgeSuite(facts: SuiteFacts): readonly Check[] {
  const { suite, baseline, required, redHeard } = facts;
  if (suite.environment !== null) return [unclear("required", suite.environment)];
  if (required.length === 0) return [unclear("required", "no test is required, so nothing can be proven")];
  const lost = lostTests(facts);
  const wavering = new Set(waveringTests(facts));
  const compared = withoutPreExisting(without(suite, wavering), baseline).suite;
  const judgement = judge(compared, required);
  const early = judgement.earlyExit && redHeard && judgement.verdict !== "pass";
  const verdict = early ? "fail" : judgement.verdict;
  const reason = `${early ? "early_exit: the code ends the process before its tests report; " : ""}${judgement.reasons.join("; ")}`;
  const missed = compared.report.tests.filter((test) => test.status !== "passed").map((test) => test.id);
  return [
    verdict === "pass"
      ? passed("required", required)
      : verdict === "fail"
        ? failed("required", reason, missed)
        : unclear("required", reason),
    lost.length === 0
      ? passed("regressions")
      : verdict === "inconclusive"
        ? unclear("regressions", "the run said nothing about the tests that passed on the base commit")
        : failed("regressions", `passed on the base commit and fails now: ${listed(lost)}`, lost),
  ];
}

export function suiteFindings(facts: SuiteFacts): readonly Finding[] {
  const { preExisting } = withoutPreExisting(facts.suite, facts.baseline);
  const early = judgeSuite(facts).some((check) => check.reason.startsWith("early_exit"));
  return [
    ...preExisting.map((id): Finding => ({
      code: "pre-existing",
      severity: "finding",
      message: `already fails on the base commit: ${id}`,
      testId: id,
    })),
    ...waveringTests(facts).map((id): Finding => ({
      code: "flaky",
      severity: "finding",
      message: `an old test failed once and passed again: ${id}`,
      testId: id,
    })),
    ...(early
      ? [
          {
            code: "early_exit",
            severity: "block",
            message: "the same run gave a whole report on the RED commit",
          } satisfies Finding,
        ]
      : []),
  ];
}

/** Old tests that fail in both runs; with one run only, in that one. */
function lostTests({ suite, confirm, baseline, required }: SuiteFacts): readonly string[] {
  const again = confirm === null ? null : new Set(regressions(confirm, baseline));
  return regressions(suite, baseline).filter(
    (id) => !required.includes(id) && (again === null || again.has(id)),
  );
}

function waveringTests({ suite, confirm, baseline, required }: SuiteFacts): readonly string[] {
  if (confirm === null) return [];
  const again = new Set(regressions(confirm, baseline));
  return regressions(suite, baseline).filter((id) => !required.includes(id) && !again.has(id));
}

/** The run as it would be without these tests' failures; they alone explain exit code 1. */
function without(suite: Suite, ids: ReadonlySet<string>): Suite {
  if (ids.size === 0) return suite;
  const tests = suite.report.tests.filter((test) => !ids.has(test.id));
  return {
    ...suite,
    report: { ...suite.report, tests },
    exitCode: suite.exitCode === 1 ? 0 : suite.exitCode,
  };
}

/** The same when it fails in the same way again: the failing tests with their messages, and the other checks by name. */
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
