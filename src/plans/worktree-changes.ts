/** What the branch of a prompt changes against its feature branch, with all that is not committed yet. */
import type { Repository } from "../git/repository.ts";
import { workOn } from "./work.ts";

/** Paths; none where there is neither a worktree nor a branch. */
export async function changesOf(
  repository: Repository,
  of: { readonly feature: string; readonly branch: string },
): Promise<readonly string[]> {
  return (await workOn(repository, of))?.changed.map(({ path }) => path) ?? [];
}
