import { findPlan } from "../../../plans/place.ts";
import { blockTestingGate } from "../../../plans/gates/testing.ts";
import type { Call, Data } from "../../command.ts";
import { gateOptionsOf } from "../asking.ts";
import { requiredPrompt } from "../given-id.ts";

export async function run(call: Call): Promise<Data> {
  const id = requiredPrompt(call.given);
  const plan = await findPlan(call);
  return blockTestingGate(plan, id, gateOptionsOf(call, plan));
}
