import { findPlan } from "../../../plans/place.ts";
import { blockFindingsGate } from "../../../plans/gates/findings.ts";
import type { Call, Data } from "../../command.ts";
import { gateOptionsOf } from "../asking.ts";

export async function run(call: Call): Promise<Data> {
  const plan = await findPlan(call);
  return blockFindingsGate(plan, gateOptionsOf(call, plan));
}
