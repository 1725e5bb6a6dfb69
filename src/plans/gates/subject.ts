/** The work that a gate about a prompt shows: an iteration and a tree. */
import { requireStarted } from "../prompt/change-prompt.ts";
import { AppError } from "../../lib/errors.ts";
import type { PlanLocation } from "../find-plan.ts";
import { currentIteration, type PlanPrompt } from "../prompt/prompt.ts";
import { readWork, type WorktreeState } from "../worktree/work.ts";
import type { GateSubject } from "./gate.ts";

export async function requireWork(plan: PlanLocation, prompt: PlanPrompt): Promise<WorktreeState> {
  const branch = requireStarted(prompt);
  const work = await readWork(plan.repository, { feature: plan.branch, branch });
  if (work !== null) return work;
  throw new AppError("not_started", `the branch ${branch} does not exist`, {
    hint: "create it: envoy git worktree, which also restores a deleted worktree",
  });
}

export async function readSubject(
  plan: PlanLocation,
  prompt: PlanPrompt,
): Promise<{ readonly shown: GateSubject; readonly work: WorktreeState }> {
  const work = await requireWork(plan, prompt);
  const iteration = prompt.fields.walkthrough.at(-1)?.iteration ?? currentIteration(prompt.fields);
  return { shown: { key: `${iteration} ${work.tree}`, iteration, tree: work.tree }, work };
}
