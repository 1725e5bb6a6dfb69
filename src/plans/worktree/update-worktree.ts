/**
 * `envoy git update-worktree`: merges the feature branch into a prompt's branch. Conflicts are left in the worktree to be resolved;
 * `envoy git commit` then completes the merge.
 */
import { join } from "node:path";
import { withoutFilters } from "../../git/checkout/filters.ts";
import { gitFailed, tryGit, type GitPlace } from "../../git/git.ts";
import { headsPrefix, type Repository } from "../../git/repository.ts";
import { snapshot } from "../../git/objects/snapshot.ts";
import { AppError } from "../../lib/errors.ts";
import { headOf, isMerging, unmergedPaths } from "./commit.ts";
import { withLock } from "../lock.ts";
import type { PlanLocation } from "../find-plan.ts";
import { openCheckout, promptCheckout } from "../prompt/prompt-checkout.ts";
import { idText, type PromptId } from "../prompt/prompt-id.ts";

export async function updateWorktree(plan: PlanLocation, id: PromptId) {
  const { path, branch, isOnBranch } = await promptCheckout(plan, id);
  const words = idText(id).replace("_", " ");
  if (!isOnBranch)
    throw new AppError("worktree_failed", `a rebase of ${branch} is in progress in ${path}`, {
      hint: "complete or abort it there: git rebase --continue, git rebase --abort",
    });
  const place = { path: plan.repository.path, gitDir: null, cwd: path };
  const checkout = await openCheckout(plan, id);
  return withLock(
    join(plan.dir, ".worktrees.lock"),
    async () => {
      const before = await headOf(place);
      if (!(await isMerging(place))) await mergeFeatureBranch(plan, { checkout, place, before, words });
      const commit = await headOf(place);
      return { branch, path, commit, updated: commit !== before, conflicts: await unmergedPaths(place) };
    },
    lockWaitMs,
  );
}

const lockWaitMs = 300_000;

interface MergeInput {
  readonly checkout: Repository;
  readonly place: GitPlace;
  readonly before: string;
  readonly words: string;
}

async function mergeFeatureBranch(
  { repository, branch }: PlanLocation,
  { checkout, place, before, words }: MergeInput,
): Promise<void> {
  const { changed, leftOut } = await snapshot(checkout, { workspace: checkout.checkout, base: before });
  if (changed.length + leftOut.length > 0)
    throw new AppError("precondition_failed", `the worktree of prompt ${words} has uncommitted changes`, {
      hint: `envoy git commit ${words} --message MESSAGE, then call again`,
      detail: { missing: ["uncommitted_changes"] },
    });
  const args = [
    "merge",
    "--quiet",
    "--no-edit",
    "--no-verify",
    "-m",
    `Merge ${branch}`,
    headsPrefix + branch,
  ];
  const answer = await tryGit(place, args, { settings: await withoutFilters(repository) });
  if (answer.exitCode !== 0 && !(await isMerging(place))) throw gitFailed(args, answer);
}
