/** Commands on the prompt that a line names, and on its worktree. */
import { openRepository, type Repository } from "../../git/repository.ts";
import type { InputValues } from "../../lib/command-line/input-values.ts";
import { findPlan, type PlanLocation } from "../../plans/find-plan.ts";
import { openCheckout } from "../../plans/prompt/prompt-checkout.ts";
import { readId, type PromptId } from "../../plans/prompt/prompt-id.ts";
import type { CommandCall, Data } from "../command.ts";

export function onPrompt(act: (plan: PlanLocation, id: PromptId, call: CommandCall) => Promise<Data>) {
  return async (call: CommandCall): Promise<Data> => {
    const id = requiredPrompt(call.given);
    return act(await findPlan(call), id, call);
  };
}

export function requiredPrompt(given: InputValues): PromptId {
  return readId(given.need("prompt_num"), given.text("variant"));
}

/** Opens the worktree of the prompt that the line names, else the current checkout. */
export async function checkoutOf(call: CommandCall): Promise<Repository> {
  const { given } = call;
  if (given.text("prompt_num") === null) return openRepository(call.cwd, call);
  const id = requiredPrompt(given);
  return openCheckout(await findPlan(call), id);
}
