/** Before a lost or unfinished test is blamed on a change, the commit before it runs again: it may be at fault too (CORE-29). */
import { steadyBase } from "../../gates/base/base-run-twice.ts";
import { leavesUnfinished, unfinishedNew } from "../../gates/base/unfinished-tests.ts";
import { oldTests, type RepeatedRun, type Suite } from "../../gates/suite/suite.ts";
import { baselineOf } from "./baseline.ts";
import type { RecordDraft } from "../draft.ts";
import type { ProofSetting } from "../proof-package.ts";

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
 * The base's run to compare with.
 * @param twice the change's run, its repetition where an old test was lost, and the base's first run
 */
export async function steadyBaseline(twice: RepeatedRun, again: BaseAgain): Promise<Suite> {
  const { baseline, confirm } = twice;
  const isLost = confirm !== null && oldTests(twice).lost.length > 0;
  const isOpen = unfinishedNew(twice).length > 0 && !leavesUnfinished(baseline);
  return isLost || isOpen ? steadyBase(baseline, await again()) : baseline;
}
