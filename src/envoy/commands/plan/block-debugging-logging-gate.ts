import { findPlan } from "../../../plans/place.ts";
import { blockLoggingGate } from "../../../plans/gates/logging.ts";
import type { Call, Data } from "../../command.ts";
import { gateOptionsOf } from "../asking.ts";
import { requiredPrompt } from "../given-id.ts";

export async function run(call: Call): Promise<Data> {
  const id = requiredPrompt(call.given);
  const plan = await findPlan(call);
  return blockLoggingGate(plan, id, gateOptionsOf(call, plan));
}
