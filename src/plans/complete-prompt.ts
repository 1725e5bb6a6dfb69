/** `envoy plan complete-prompt`: the last step, which needs all those before it. */
import { AppError } from "../lib/errors.ts";
import { changePrompt } from "./change-prompt.ts";
import { isDone } from "./next.ts";
import type { PlanPlace } from "./place.ts";
import { listPrompts, type Prompt } from "./prompt.ts";
import { compareIds, idText, type PromptId } from "./prompt-id.ts";
import { worktreeOf } from "./worktree.ts";

export async function completePrompt(plan: PlanPlace, id: PromptId) {
  return changePrompt(plan, id, async (prompt) => {
    const all = await listPrompts(plan);
    const missing = prompt.fields.status === "merged" ? [] : missingSteps(prompt, all);
    if (missing.length > 0)
      throw new AppError("precondition_failed", `prompt ${idText(id)} lacks: ${missing.join(", ")}`, {
        hint: "do these steps of the protocol first",
        detail: { missing },
      });
    const fields = { ...prompt.fields, status: "merged" as const, in_progress: false };
    const after = all.map((one) => (compareIds(one.id, id) === 0 ? { ...one, fields } : one));
    return {
      fields,
      data: {
        id: idText(id),
        status: fields.status,
        merge_commit_hash: fields.merge_commit_hash,
        unmerged_alternatives: await alternatives(plan, prompt, all),
        plan_done: isDone(after),
      },
    };
  });
}

/** The steps that the plan's files show to be open, in the order of the protocol. */
export function missingSteps(prompt: Prompt, all: readonly Prompt[]): readonly string[] {
  const { id, fields } = prompt;
  const has = (source: string) =>
    fields.reviews.findLast((review) => review.source === source && review.iteration === lastOf(prompt))
      ?.passed === true;
  const needsTesting = fields.requires_manual_testing || fields.kind === "debug";
  const isVariant = all.filter((one) => one.id.number === id.number).length > 1;
  const open: Readonly<Record<string, boolean>> = {
    not_started: fields.worktree_branch_name === null,
    no_implementation: fields.walkthrough.length === 0,
    not_reviewed: !has("review"),
    not_tested: needsTesting && !has("testing"),
    variant_unresolved: isVariant && fields.variant_solution === null,
    not_main_variant: fields.variant_solution !== null && fields.variant_solution !== "main",
    not_merged: fields.merge_commit_hash === null,
  };
  return Object.keys(open).filter((name) => open[name]);
}

function lastOf({ fields }: Prompt): number {
  return fields.walkthrough.at(-1)?.iteration ?? 0;
}

async function alternatives(plan: PlanPlace, { id }: Prompt, all: readonly Prompt[]) {
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
