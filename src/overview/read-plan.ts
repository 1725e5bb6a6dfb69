/** Reads a plan of Envoy into the model that people look at. Writes nothing. */
import { requiredApprovals } from "../plans/approvals.ts";
import type { PlanLocation } from "../plans/find-plan.ts";
import { missingSteps, readGitState } from "../plans/prompt/missing-steps.ts";
import { listPrompts, type PlanPrompt } from "../plans/prompt/prompt.ts";
import { idText } from "../plans/prompt/prompt-id.ts";
import { readPlan as readPlanFile } from "../plans/plan.ts";
import type { PlanModel, PlanPromptModel } from "../views/model/plan-model.ts";

export async function readPlan(plan: PlanLocation): Promise<PlanModel> {
  const [{ fields }, all] = await Promise.all([readPlanFile(plan), listPrompts(plan)]);
  const prompts: PlanPromptModel[] = [];
  for (const prompt of all) prompts.push(await readPrompt(plan, prompt, all));
  return { branch: plan.branch, title: fields.title, prompts };
}

async function readPrompt(
  plan: PlanLocation,
  prompt: PlanPrompt,
  all: readonly PlanPrompt[],
): Promise<PlanPromptModel> {
  const { id, fields } = prompt;
  const state = await readGitState(plan, prompt);
  const { work } = state;
  const merged = fields.merge_commit_hash;
  const begun = work === null || work.head === work.base ? null : { commit: work.head, from: work.base };
  return {
    id: idText(id),
    description: fields.description,
    isInProgress: fields.in_progress,
    agent: fields.delegated_to,
    iterations: fields.walkthrough.length,
    steps: stepsOf(prompt, missingSteps(prompt, { all, state })),
    verified: fields.verification,
    change: merged === null ? begun : { commit: merged, from: null },
  };
}

/** A step is done when neither it nor an earlier one is missing. */
function stepsOf(prompt: PlanPrompt, missing: readonly string[]): PlanPromptModel["steps"] {
  const isTested = requiredApprovals(prompt).includes("testing");
  const names: readonly (readonly [name: string, missing: readonly string[]])[] = [
    ["start", ["not_started"]],
    ["implement", ["no_implementation", "uncommitted_changes"]],
    ["review", ["not_reviewed"]],
    ...(isTested ? [["test", ["not_tested"]] as const] : []),
    ["merge", ["variant_unresolved", "not_main_variant", "debug_markers_left", "not_merged"]],
  ];
  let isOpen = false;
  return names.map(([name, lacks]) => {
    isOpen ||= lacks.some((lack) => missing.includes(lack));
    return { name, isDone: !isOpen };
  });
}
