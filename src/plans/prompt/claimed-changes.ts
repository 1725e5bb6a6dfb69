/** Compares the changes that walkthroughs claim with the real ones. A folder covers all files in it. */
import type { WalkthroughEntry } from "./prompt.ts";
import { relativePath } from "../relative-path.ts";

/**
 * @param walkthroughs by iteration, newest last; a later one need not repeat the claims of an earlier one
 * @param changed all paths that differ from the feature branch
 */
export function compareClaims(
  walkthroughs: readonly Pick<WalkthroughEntry, "changes">[],
  changed: readonly string[],
) {
  const claimsOf = ({ changes }: Pick<WalkthroughEntry, "changes">) =>
    changes.map(({ file }) => relativePath(file));
  const covers = (claim: string, path: string) => path === claim || path.startsWith(`${claim}/`);
  const newest = walkthroughs.slice(-1).flatMap(claimsOf);
  const all = walkthroughs.flatMap(claimsOf);
  return {
    unverified_changes: newest.filter((claim) => !changed.some((path) => covers(claim, path))),
    unmentioned_changes: changed.filter((path) => !all.some((claim) => covers(claim, path))),
  };
}
