import { commitPrompt } from "../../../plans/worktree/commit.ts";
import { findPlan } from "../../../plans/find-plan.ts";
import type { CommandCall, Data } from "../../command.ts";
import { requiredPrompt } from "../prompt-argument.ts";

export async function run(call: CommandCall): Promise<Data> {
  const id = requiredPrompt(call.given);
  return { ...(await commitPrompt(await findPlan(call), id, call.given.need("message"))) };
}
