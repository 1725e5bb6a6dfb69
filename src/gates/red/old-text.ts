/**
 * Runs old tests with their old text (fault R9). A test that passed on the base must pass, as written there, on the tests'
 * commit and on the implementation; changing its text cannot hide a regression. Where the changed behaviour is intended, a
 * person accepts each test by its id, which turns it into a finding (CORE-29: only a person may give up a test).
 */
import type { OldText } from "./red-facts.ts";
import { fileOfTest } from "../../evidence/test-ids.ts";
import { unfinishedReason } from "../base/unfinished-tests.ts";
import { failed, shortList, unclear } from "../check.ts";
import { acceptingInRun } from "./passing-tests.ts";
import { hasResult, statusOf, idsWith, type Suite } from "../suite/suite.ts";
import type { Check, Finding } from "../verdict.ts";

interface Facts {
  /** The command that accepts a test; default that of a run. */
  readonly accepting?: string | undefined;
  readonly baseline: Suite;
  readonly oldText?: OldText | null | undefined;
}

export function oldTextChecks({ baseline, oldText, accepting = acceptingInRun }: Facts): readonly Check[] {
  if (oldText == null) return [];
  const { suite, files } = oldText;
  if (!hasResult(suite) && suite.environment !== null) return [unclear("old_text", suite.environment)];
  if (!hasResult(suite))
    return [
      unclear("old_text", `the old text of ${shortList(files)} gave no complete, readable report in time`),
    ];
  const lost = lostIn(baseline, oldText).filter((id) => !oldText.accepted.includes(id));
  if (lost.length === 0) return [];
  const now = statusOf(suite);
  const doubt = unfinishedReason(baseline, lost);
  if (doubt !== null && lost.every((id) => now.get(id) !== "failed")) return [unclear("old_text", doubt)];
  const reason = `passed on the base commit and fail now with their old text: ${shortList(lost)}; keep the behaviour that they prove, or let a person accept the change: ${accepting}`;
  return [{ ...failed("old_text", reason, lost), acceptable: true }];
}

export function oldTextFindings({ baseline, oldText }: Facts): readonly Finding[] {
  if (oldText == null || !hasResult(oldText.suite)) return [];
  return lostIn(baseline, oldText)
    .filter((id) => oldText.accepted.includes(id))
    .map((testId) => ({
      code: "old_text",
      severity: "finding",
      message: `no longer passes with its old text, a person accepted this: ${testId}`,
      testId,
    }));
}

function lostIn(baseline: Suite, { suite, files }: OldText): readonly string[] {
  const now = statusOf(suite);
  const own = new Set(files);
  return idsWith(baseline, "passed").filter((id) => own.has(fileOfTest(id)) && now.get(id) !== "passed");
}
