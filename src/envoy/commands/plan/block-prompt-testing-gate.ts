import { findPlan } from "../../../plans/place.ts";
import { blockTestingGate } from "../../../plans/gates/testing.ts";
import type { Call, Data } from "../../command.ts";
import { askingOf } from "../asking.ts";
import { promptOf } from "../given-id.ts";

export async function run(call: Call): Promise<Data> {
  const id = promptOf(call.given);
  const plan = await findPlan(call);
  return blockTestingGate(plan, id, askingOf(call, plan));
}
