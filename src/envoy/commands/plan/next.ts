import { nextPrompts } from "../../../plans/next.ts";
import { findPlan } from "../../../plans/find-plan.ts";
import { readNumber } from "../../../plans/prompt/prompt-id.ts";
import type { CommandCall, Data } from "../../command.ts";

export async function run(call: CommandCall): Promise<Data> {
  const requested = readNumber(call.given.text("number") ?? "1");
  return nextPrompts(await findPlan(call), requested);
}
