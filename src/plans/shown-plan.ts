/** A plan of Envoy as people look at it: each prompt with the steps of its protocol, and its change (SEE-05). */
import { requiredApprovals } from "./approvals.ts";
import type { PlanLocation } from "./find-plan.ts";
import { missingSteps, readGitState } from "./prompt/missing-steps.ts";
import { listPrompts, type PlanPrompt } from "./prompt/prompt.ts";
import { idText } from "./prompt/prompt-id.ts";
import { readPlan } from "./plan.ts";

export interface ShownPlan {
  /** Its feature branch. */
  readonly branch: string;
  readonly title: string;
  readonly prompts: readonly ShownPrompt[];
}

export interface ShownPrompt {
  /** `1`, `2 A`. */
  readonly id: string;
  readonly description: string;
  readonly isInProgress: boolean;
  readonly agent: string | null;
  readonly iterations: number;
  /** In the order of the protocol; the first that is not done is the current one. */
  readonly steps: readonly { readonly name: string; readonly isDone: boolean }[];
  /** What the tests of the merged tree gave, and in which record; null: they were not run. */
  readonly verified: { readonly verdict: "pass" | "fail" | "inconclusive"; readonly record: string } | null;
  /** Commits between which its change is; `from` null: the commit before. Null: there is none yet. */
  readonly change: { readonly commit: string; readonly from: string | null } | null;
}

export async function shownPlan(plan: PlanLocation): Promise<ShownPlan> {
  const [{ fields }, all] = await Promise.all([readPlan(plan), listPrompts(plan)]);
  const prompts: ShownPrompt[] = [];
  for (const prompt of all) prompts.push(await shownPrompt(plan, prompt, all));
  return { branch: plan.branch, title: fields.title, prompts };
}

async function shownPrompt(
  plan: PlanLocation,
  prompt: PlanPrompt,
  all: readonly PlanPrompt[],
): Promise<ShownPrompt> {
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
function stepsOf(prompt: PlanPrompt, missing: readonly string[]): ShownPrompt["steps"] {
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
