import { findPlan } from "../../../plans/place.ts";
import { blockLoggingGate } from "../../../plans/gates/logging.ts";
import type { Call, Data } from "../../command.ts";
import { askingOf } from "../asking.ts";
import { promptOf } from "../given-id.ts";

export async function run(call: Call): Promise<Data> {
  const id = promptOf(call.given);
  const plan = await findPlan(call);
  return blockLoggingGate(plan, id, askingOf(call, plan));
}
