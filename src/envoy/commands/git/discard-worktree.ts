import { systemClock } from "../../../lib/clock.ts";
import { discardWorktree } from "../../../plans/worktree/discard-worktree.ts";
import { findPlan } from "../../../plans/place.ts";
import type { Call, Data } from "../../command.ts";
import { requiredPrompt } from "../given-id.ts";

export async function run(call: Call): Promise<Data> {
  const id = requiredPrompt(call.given);
  return discardWorktree(await findPlan(call), id, systemClock);
}
