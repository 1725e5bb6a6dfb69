/** Before a lost or unfinished test is blamed on a change, the commit before it runs again: it may be at fault too (CORE-29). */
import { steadyBase } from "../../gates/base/base-run-twice.ts";
import { leavesUnfinished, unfinishedNew } from "../../gates/base/unfinished-tests.ts";
import { oldTests, statusOf, type RepeatedRun, type Suite } from "../../gates/suite/suite.ts";
import { baselineOf } from "./baseline.ts";
import type { RecordDraft } from "../draft.ts";
import type { ProofSetting } from "../proof-package.ts";
import type { SuiteRun } from "../setting.ts";

/** Runs the commit before the change again. */
export type BaseAgain = () => Promise<Suite>;

export function baseAgain(setting: ProofSetting, made: RecordDraft[]): BaseAgain {
  return async () => {
    const { suite, drafts } = await baselineOf(setting, { fresh: true });
    made.push(...drafts);
    return suite;
  };
}

/**
 * The base's run to compare with. Where the base is restless, too, the change runs once more before a failed old test blocks.
 * @param given the change's run, its repetition where an old test was lost, and the base's first run
 * @param again runs the base again
 * @param repeat runs the change again
 */
export async function steadied(
  given: RepeatedRun,
  again: BaseAgain,
  repeat: () => Promise<SuiteRun>,
): Promise<RepeatedRun> {
  const { suite, baseline, confirm } = given;
  const isLost = confirm !== null && oldTests(given).lost.length > 0;
  const isOpen = unfinishedNew(given).length > 0 && !leavesUnfinished(baseline);
  if (!isLost && !isOpen) return given;
  const twice = { ...given, baseline: steadyBase(baseline, await again()) };
  const now = statusOf(suite);
  const isInDoubt = confirm !== null && leavesUnfinished(twice.baseline);
  if (!isInDoubt || !oldTests(twice).lost.some((id) => now.get(id) === "failed")) return twice;
  return { ...twice, confirm: better(confirm, (await repeat()).suite) };
}

/** The second run, in which a test has passed if it passed in either. */
function better(one: Suite, other: Suite): Suite {
  const passing = one.report.tests.filter(({ status }) => status === "passed");
  const passed = new Map(passing.map((test) => [test.id, test]));
  const tests = other.report.tests.map((test) => passed.get(test.id) ?? test);
  return { ...other, report: { ...other.report, tests } };
}
