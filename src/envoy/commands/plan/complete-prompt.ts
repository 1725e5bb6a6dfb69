import { findPlan } from "../../../plans/place.ts";
import { completePrompt } from "../../../plans/prompt/complete-prompt.ts";
import type { Call, Data } from "../../command.ts";
import { requiredPrompt } from "../given-id.ts";

export async function run(call: Call): Promise<Data> {
  const id = requiredPrompt(call.given);
  return completePrompt(await findPlan(call), id);
}
