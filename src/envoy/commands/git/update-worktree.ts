import { findPlan } from "../../../plans/find-plan.ts";
import { updateWorktree } from "../../../plans/worktree/update-worktree.ts";
import type { CommandCall, Data } from "../../command.ts";
import { requiredPrompt } from "../prompt-argument.ts";

export async function run(call: CommandCall): Promise<Data> {
  const id = requiredPrompt(call.given);
  return updateWorktree(await findPlan(call), id);
}
