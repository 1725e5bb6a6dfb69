/** What walkthroughs say was changed, against what was. A folder stands for all that lies in it. */
import type { WalkthroughEntry } from "./prompt.ts";
import { relativePath } from "../relative-path.ts";

/**
 * @param told by iteration, the newest last: what an earlier one has told need not be told again
 * @param changed all paths that differ from the feature branch
 */
export function compareClaims(
  told: readonly Pick<WalkthroughEntry, "changes">[],
  changed: readonly string[],
) {
  const claimsOf = ({ changes }: Pick<WalkthroughEntry, "changes">) =>
    changes.map(({ file }) => relativePath(file));
  const covers = (claim: string, path: string) => path === claim || path.startsWith(`${claim}/`);
  const newest = told.slice(-1).flatMap(claimsOf);
  const all = told.flatMap(claimsOf);
  return {
    unverified_changes: newest.filter((claim) => !changed.some((path) => covers(claim, path))),
    unmentioned_changes: changed.filter((path) => !all.some((claim) => covers(claim, path))),
  };
}
