/** What a walkthrough says was changed, against what was. A folder stands for all that lies in it. */
import { relativePath } from "./relative-path.ts";

export function compareClaims(claimed: readonly string[], changed: readonly string[]) {
  const claims = claimed.map(relativePath);
  const covers = (claim: string, path: string) => path === claim || path.startsWith(`${claim}/`);
  return {
    unverified_changes: claims.filter((claim) => !changed.some((path) => covers(claim, path))),
    unmentioned_changes: changed.filter((path) => !claims.some((claim) => covers(claim, path))),
  };
}
