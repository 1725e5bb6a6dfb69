import { findPlan } from "../../../plans/place.ts";
import { completePrompt } from "../../../plans/prompt/complete-prompt.ts";
import type { Call, Data } from "../../command.ts";
import { promptOf } from "../given-id.ts";

export async function run(call: Call): Promise<Data> {
  const id = promptOf(call.given);
  return completePrompt(await findPlan(call), id);
}
