/** Finds the run that holds a prompt, and prompts in progress whose run has ended. */
import type { Journal } from "../../journal/journal.ts";
import { listPrompts } from "../../plans/prompt/prompt.ts";
import type { PlanLocation } from "../../plans/find-plan.ts";
import { idText, parseId, type PromptId } from "../../plans/prompt/prompt-id.ts";
import type { RunView } from "../../log/run-view.ts";
import type { RunContext } from "../../run/context.ts";
import { foldOpenRuns, foldRuns } from "../../run/list-runs.ts";
import { featureBranchOf, subjectOf } from "./work.ts";

/** The run's agent is working on the prompt or will continue when the run is resumed. */
export async function runHoldingPrompt(
  journal: Journal,
  branch: string,
  prompt: string,
): Promise<string | null> {
  const holding = (await foldOpenRuns(journal)).find(
    (view) => isOf(view, branch) && promptsOf(view).includes(prompt),
  );
  return holding?.run ?? null;
}

/** The open run on workers that has the plan of the branch. */
export async function runHandedOver(journal: Journal, branch: string): Promise<string | null> {
  const open = await foldOpenRuns(journal);
  return open.find((view) => isOf(view, branch) && view.started?.workers !== undefined)?.run ?? null;
}

/** A prompt of a waiting run is not abandoned. */
export async function abandonedPrompts(
  context: RunContext,
  plan: PlanLocation,
): Promise<readonly PromptId[]> {
  const taken = (await listPrompts(plan)).filter(({ fields }) => fields.in_progress).map(({ id }) => id);
  if (taken.length === 0) return [];
  const runs = await foldRuns(context.session.ports.journal);
  const of = runs.filter((view) => isOf(view, plan.branch));
  const isHeld = new Set(
    of.filter(({ ended, run }) => ended === null && run !== context.run).flatMap(promptsOf),
  );
  const wasGiven = new Set(of.flatMap(promptsOf));
  return taken.filter((id) => wasGiven.has(idText(id)) && !isHeld.has(idText(id)));
}

function isOf({ started }: RunView, branch: string): boolean {
  return started?.steps !== undefined && featureBranchOf(started) === branch;
}

/** Prompts that the run started an agent for, as `1_A`. */
function promptsOf({ started, dispatches, commands }: RunView): readonly string[] {
  const { steps } = started ?? {};
  if (steps === undefined) return [];
  const own = subjectOf(steps);
  if (own?.type === "prompt") return Object.keys(dispatches).length === 0 ? [] : [idText(own.id)];
  return Object.values(commands).flatMap(({ command }) =>
    command.type === "spawn" && parseId(command.item) !== null ? [command.item] : [],
  );
}
