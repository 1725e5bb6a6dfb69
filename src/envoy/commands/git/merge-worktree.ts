import { systemClock } from "../../../lib/clock.ts";
import { mergeWorktree } from "../../../plans/merge/merge-worktree.ts";
import { verifyMerge } from "../../verify-merge.ts";
import { onPrompt } from "../on-prompt.ts";

export const run = onPrompt((plan, id) => {
  const { root } = plan.repository;
  return mergeWorktree(plan, id, { verify: (merge) => verifyMerge(root, merge), clock: systemClock });
});
