import { findPlan } from "../../../plans/find-plan.ts";
import { writePlan } from "../../../plans/plan.ts";
import type { CommandCall, Data } from "../../command.ts";

export async function run(call: CommandCall): Promise<Data> {
  const { given } = call;
  return writePlan(await findPlan(call), {
    title: given.need("title"),
    objective: given.need("objective"),
    context: given.need("context"),
  });
}
