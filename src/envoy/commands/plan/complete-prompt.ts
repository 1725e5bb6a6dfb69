import { findPlan } from "../../../plans/find-plan.ts";
import { completePrompt } from "../../../plans/prompt/complete-prompt.ts";
import type { CommandCall, Data } from "../../command.ts";
import { requiredPrompt } from "../prompt-argument.ts";

export async function run(call: CommandCall): Promise<Data> {
  const id = requiredPrompt(call.given);
  return completePrompt(await findPlan(call), id);
}
