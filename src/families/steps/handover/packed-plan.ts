/** Reads the plan of a run on workers as its newest pack has it, wherever the checkout is. */
import { writeFolder } from "../../../git/objects/folder-tree.ts";
import { withScratch } from "../../../git/scratch.ts";
import type { PlanLocation } from "../../../plans/find-plan.ts";
import { planFileName } from "../../../plans/plan.ts";
import { isMergedAt } from "../../../plans/prompt/missing-steps.ts";
import type { PlanPrompt } from "../../../plans/prompt/prompt.ts";
import type { RunContext } from "../../../run/context.ts";
import { requirePack } from "./handover.ts";
import { isPlanFile } from "./pack.ts";

export interface ReadPlan extends PlanLocation {
  /** Whether the feature branch of this plan has the prompt's merge. */
  readonly isMerged: (prompt: PlanPrompt) => Promise<boolean>;
}

/** @param use gets the plan in a folder that is removed afterwards @throws no_plan */
export async function withPackedPlan<Value>(
  context: RunContext,
  use: (plan: ReadPlan) => Promise<Value>,
): Promise<Value> {
  const { repository } = context;
  const { branch, branches, commit: tip, plan: tree } = await requirePack(context);
  return withScratch(async (dir) => {
    await writeFolder(repository, { folder: dir, takes: isPlanFile, tree, last: planFileName });
    const headOf = (name: string | null) => branches.find((one) => one.name === name)?.commit ?? null;
    const isMerged = ({ fields }: PlanPrompt) =>
      isMergedAt(repository, {
        tip,
        hash: fields.merge_commit_hash,
        head: headOf(fields.worktree_branch_name),
      });
    return use({ repository, branch, dir, isMerged });
  });
}
