/** `envoy plan start-prompt` and `release-prompt`: assign a prompt to a specialist, and free it. */
import { AppError } from "../../lib/errors.ts";
import { implementationBranch, realBranch } from "../worktree/branch-names.ts";
import { changePrompt, refuseDecided } from "./change-prompt.ts";
import { mergedNumbers } from "../next.ts";
import type { PlanLocation } from "../find-plan.ts";
import { beginPlan } from "../plan.ts";
import { currentIteration, listPrompts, type PlanPrompt } from "./prompt.ts";
import { idText, type PromptId } from "./prompt-id.ts";
import { readSpecialist } from "../findings/findings.ts";
import type { PlanFolder } from "../write.ts";

export async function startPrompt(
  plan: PlanLocation,
  id: PromptId,
  by: { readonly specialist: string; readonly worktree: string },
) {
  const specialist = readSpecialist(by.specialist);
  const worktree = implementationBranch(plan.branch, id);
  return changePrompt(plan, id, async (prompt, write) => {
    refuseDecided(prompt);
    if (realBranch(by.worktree) !== worktree)
      throw new AppError(
        "invalid_worktree_branch",
        `${by.worktree} is not the branch of prompt ${idText(id)}`,
        {
          hint: `use ${worktree}`,
          detail: { expected: worktree },
        },
      );
    const { fields } = prompt;
    if (fields.in_progress && fields.delegated_to !== specialist)
      throw new AppError(
        "already_in_progress",
        `${fields.delegated_to ?? ""} is working on prompt ${idText(id)}`,
        {
          hint: "take another one: envoy plan next; if its agent is gone: envoy plan release-prompt",
          detail: { specialist: fields.delegated_to },
        },
      );
    await refuseUnmergedDependencies(plan, prompt);
    await beginPlan(plan, write);
    return {
      fields: { in_progress: true, delegated_to: specialist, worktree_branch_name: worktree },
      data: {
        id: idText(id),
        in_progress: true,
        specialist,
        worktree,
        current_iteration: currentIteration(fields),
        resumed: fields.worktree_branch_name !== null,
        ...(fields.pending_refinement !== null && { pending_refinement: fields.pending_refinement }),
      },
    };
  });
}

export async function releasePrompt(plan: PlanFolder, id: PromptId) {
  return changePrompt(plan, id, ({ fields }) => ({
    fields: fields.in_progress ? { in_progress: false } : null,
    data: { id: idText(id), in_progress: false, released: fields.in_progress },
  }));
}

export async function refuseUnmergedDependencies(
  plan: PlanFolder,
  { id, fields }: PlanPrompt,
): Promise<void> {
  if (fields.depends_on.length === 0) return;
  const merged = mergedNumbers(await listPrompts(plan));
  const open = fields.depends_on.filter((number) => !merged.has(number));
  if (open.length > 0)
    throw new AppError("dependencies_unmerged", `prompt ${idText(id)} waits for ${open.join(", ")}`, {
      hint: "take another one: envoy plan next",
      detail: { waiting_for: open },
    });
}
