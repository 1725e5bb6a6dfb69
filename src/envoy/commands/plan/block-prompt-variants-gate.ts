import { findPlan } from "../../../plans/find-plan.ts";
import { blockVariantsGate } from "../../../plans/gates/variants.ts";
import type { CommandCall, Data } from "../../command.ts";
import { gateOptionsOf } from "../gate-options.ts";
import { requiredPrompt } from "../prompt-argument.ts";

export async function run(call: CommandCall): Promise<Data> {
  const id = requiredPrompt(call.given);
  const plan = await findPlan(call);
  return blockVariantsGate(plan, id, gateOptionsOf(call, plan));
}
