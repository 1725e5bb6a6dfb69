import { findPlan } from "../../../plans/place.ts";
import { fullPrompt } from "../../../plans/read-prompt.ts";
import type { Call, Data } from "../../command.ts";
import { promptOf } from "../given-id.ts";

export async function run(call: Call): Promise<Data> {
  const id = promptOf(call.given);
  return fullPrompt(await findPlan(call), id);
}
