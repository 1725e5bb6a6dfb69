/** What a gate about a prompt shows, and is bound to: an iteration and a tree. */
import { refuseNotStarted } from "../prompt/change-prompt.ts";
import { AppError } from "../../lib/errors.ts";
import type { PlanPlace } from "../place.ts";
import { currentIteration, type Prompt } from "../prompt/prompt.ts";
import { workOn, type Work } from "../worktree/work.ts";
import type { Shown } from "./gate.ts";

export async function workOf(plan: PlanPlace, prompt: Prompt): Promise<Work> {
  const branch = refuseNotStarted(prompt);
  const work = await workOn(plan.repository, { feature: plan.branch, branch });
  if (work !== null) return work;
  throw new AppError("not_started", `the branch ${branch} is not there`, {
    hint: "make it: envoy git worktree, which also brings back a worktree that was lost",
  });
}

export async function shownWork(
  plan: PlanPlace,
  prompt: Prompt,
): Promise<{ readonly shown: Shown; readonly work: Work }> {
  const work = await workOf(plan, prompt);
  const iteration = prompt.fields.walkthrough.at(-1)?.iteration ?? currentIteration(prompt.fields);
  return { shown: { key: `${iteration} ${work.tree}`, iteration, tree: work.tree }, work };
}
