import { findPlan } from "../../../plans/find-plan.ts";
import { readNumber } from "../../../plans/prompt/prompt-id.ts";
import { recordImplementation } from "../../../plans/prompt/record-implementation.ts";
import type { CommandCall, Data } from "../../command.ts";
import { requiredPrompt } from "../prompt-argument.ts";

export async function run(call: CommandCall): Promise<Data> {
  const { given } = call;
  const id = requiredPrompt(given);
  const report = {
    walkthrough: given.need("walkthrough"),
    iteration: readNumber(given.need("iteration")),
    reason: given.text("refinement-reason"),
  };
  return recordImplementation(await findPlan(call), id, report);
}
