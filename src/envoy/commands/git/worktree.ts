import { findPlan } from "../../../plans/find-plan.ts";
import { openWorktree } from "../../../plans/worktree/worktree.ts";
import type { CommandCall, Data } from "../../command.ts";
import { requiredPrompt } from "../prompt-argument.ts";

export async function run(call: CommandCall): Promise<Data> {
  const id = requiredPrompt(call.given);
  return openWorktree(await findPlan(call), id);
}
