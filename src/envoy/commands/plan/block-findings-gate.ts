import { findPlan } from "../../../plans/find-plan.ts";
import { blockFindingsGate } from "../../../plans/gates/findings.ts";
import type { CommandCall, Data } from "../../command.ts";
import { gateOptionsOf } from "../gate-options.ts";

export async function run(call: CommandCall): Promise<Data> {
  const plan = await findPlan(call);
  return blockFindingsGate(plan, gateOptionsOf(call, plan));
}
