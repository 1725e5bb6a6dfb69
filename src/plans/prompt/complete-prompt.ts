/** `envoy plan complete-prompt`: the last step; all steps before it must be done. */
import { AppError } from "../../lib/errors.ts";
import { changePrompt } from "./change-prompt.ts";
import { closeObsoleteGates } from "../gates/obsolete.ts";
import { withGatesLock } from "../gates/wait.ts";
import { unverified } from "../merge/verification.ts";
import { isDone } from "../next.ts";
import type { PlanLocation } from "../find-plan.ts";
import { finishPlan } from "../plan.ts";
import { missingSteps, readGitState } from "./missing-steps.ts";
import { listPrompts, readPrompt, type PlanPrompt } from "./prompt.ts";
import { compareIds, idText, type PromptId } from "./prompt-id.ts";
import { worktreeOf } from "../worktree/worktree.ts";

export async function completePrompt(plan: PlanLocation, id: PromptId) {
  const state = await readGitState(plan, await readPrompt(plan, id));
  const completed = await changePrompt(plan, id, async (prompt, write) => {
    const all = await listPrompts(plan);
    const missing = prompt.fields.status === "merged" ? [] : missingSteps(prompt, { all, state });
    if (missing.length > 0)
      throw new AppError("precondition_failed", `prompt ${idText(id)} lacks: ${missing.join(", ")}`, {
        hint: "do these steps of the protocol first",
        detail: { missing },
      });
    const fields = { ...prompt.fields, status: "merged" as const, in_progress: false };
    const after = all.map((one) => (compareIds(one.id, id) === 0 ? { ...one, fields } : one));
    const isLast = isDone(after);
    if (isLast) await finishPlan(plan, write);
    return {
      fields,
      data: {
        id: idText(id),
        status: fields.status,
        merge_commit_hash: fields.merge_commit_hash,
        verification: fields.verification,
        ...(fields.verification === null && { note: unverified }),
        unmerged_alternatives: await alternatives(plan, prompt, all),
        plan_done: isLast,
      },
    };
  });
  await withGatesLock({ plan }, () => closeObsoleteGates(plan));
  return completed;
}

async function alternatives(plan: PlanLocation, { id }: PlanPrompt, all: readonly PlanPrompt[]) {
  const kept = all.filter(
    (one) => one.id.number === id.number && one.fields.variant_solution === "alternative",
  );
  const branches = kept.flatMap(({ fields }) => fields.worktree_branch_name ?? []);
  return Promise.all(
    branches.map(async (branch) => ({
      branch,
      path: (await worktreeOf(plan.repository, branch))?.path ?? null,
    })),
  );
}
