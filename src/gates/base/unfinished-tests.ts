/** Tests that do not finish, where runs of the base leave tests unfinished: nothing tells whether the change is why (CORE-29). */
import { shortList } from "../check.ts";
import { hasResult, idsWith, oldTests, statusOf, type RepeatedRun, type Suite } from "../suite/suite.ts";

/** Whether the base itself, without the change, leaves tests unfinished in a run. */
export function leavesUnfinished(baseline: Suite): boolean {
  return baseline.isRestless === true || idsWith(baseline, "pending").length > 0;
}

/** Lost tests of such a base that did not even finish. */
export function unfinishedTests(twice: RepeatedRun): ReadonlySet<string> {
  if (!leavesUnfinished(twice.baseline)) return new Set();
  const now = statusOf(twice.suite);
  return new Set(oldTests(twice).lost.filter((id) => now.get(id) !== "failed"));
}

/** Tests that the base does not have and that a whole run began and did not finish. */
export function unfinishedNew({
  suite,
  baseline,
}: Pick<RepeatedRun, "suite" | "baseline">): readonly string[] {
  if (!hasResult(suite)) return [];
  const before = statusOf(baseline);
  return idsWith(suite, "pending").filter((id) => !before.has(id));
}

/** Why these tests cannot be judged; null where they finished, or the base lets its tests finish. */
export function unfinishedReason(baseline: Suite, unfinished: readonly string[]): string | null {
  if (unfinished.length === 0 || !leavesUnfinished(baseline)) return null;
  return `runs of the base commit leave tests unfinished without the change, so nothing tells why these do not finish; mend the old tests that end the run early: ${shortList(unfinished)}`;
}
