import { getApproach } from "../../../plans/get-approach.ts";
import { findPlan } from "../../../plans/place.ts";
import { readId } from "../../../plans/prompt-id.ts";
import type { Call, Data } from "../../command.ts";

export async function run(call: Call): Promise<Data> {
  const { given } = call;
  const id = readId(given.need("approach_num"), given.text("variant"));
  return getApproach(await findPlan(call), given.need("specialist_name"), id);
}
