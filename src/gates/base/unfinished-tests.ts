/** Tests that do not finish, where runs of the base leave tests unfinished: nothing tells whether the change is why (CORE-29). */
import { shortList } from "../check.ts";
import { hasResult, idsWith, oldTests, statusOf, type RepeatedRun, type Suite } from "../suite/suite.ts";

/** Lost tests of a restless base that did not even finish. */
export function unfinishedTests(twice: RepeatedRun): ReadonlySet<string> {
  if (twice.baseline.isRestless !== true) return new Set();
  const now = statusOf(twice.suite);
  return new Set(oldTests(twice).lost.filter((id) => now.get(id) !== "failed"));
}

export const restlessReason =
  "each run of the base commit leaves other tests unfinished, so nothing tells whether the change is why these do not finish now";

/** Tests that the base does not have and that a whole run began and did not finish. */
export function unfinishedNew({
  suite,
  baseline,
}: Pick<RepeatedRun, "suite" | "baseline">): readonly string[] {
  if (!hasResult(suite)) return [];
  const before = statusOf(baseline);
  return idsWith(suite, "pending").filter((id) => !before.has(id));
}

/** Whether the base itself, without the change, leaves tests unfinished in a run. */
export function leavesUnfinished(baseline: Suite): boolean {
  return baseline.isRestless === true || idsWith(baseline, "pending").length > 0;
}

/** Why these new tests cannot be judged; null where they finished, or the base lets its tests finish. */
export function unfinishedReason(baseline: Suite, unfinished: readonly string[]): string | null {
  if (unfinished.length === 0 || !leavesUnfinished(baseline)) return null;
  return `runs of the base commit leave tests unfinished without the change, so nothing tells why these new tests do not finish; mend the old tests that end the run early: ${shortList(unfinished)}`;
}
