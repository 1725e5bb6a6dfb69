import { systemClock } from "../../../lib/clock.ts";
import { mergeWorktree } from "../../../plans/merge/merge-worktree.ts";
import { findPlan } from "../../../plans/find-plan.ts";
import { verifyMerge } from "../../verify-merge.ts";
import type { CommandCall, Data } from "../../command.ts";
import { requiredPrompt } from "../prompt-argument.ts";

export async function run(call: CommandCall): Promise<Data> {
  const id = requiredPrompt(call.given);
  const plan = await findPlan(call);
  const { root } = plan.repository;
  return mergeWorktree(plan, id, { verify: (merge) => verifyMerge(root, merge), clock: systemClock });
}
