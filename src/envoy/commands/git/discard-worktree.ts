import { systemClock } from "../../../lib/clock.ts";
import { discardWorktree } from "../../../plans/worktree/discard-worktree.ts";
import { findPlan } from "../../../plans/find-plan.ts";
import type { CommandCall, Data } from "../../command.ts";
import { requiredPrompt } from "../prompt-argument.ts";

export async function run(call: CommandCall): Promise<Data> {
  const id = requiredPrompt(call.given);
  return discardWorktree(await findPlan(call), id, systemClock);
}
