import { findPlan } from "../../../plans/place.ts";
import { openWorktree } from "../../../plans/worktree/worktree.ts";
import type { Call, Data } from "../../command.ts";
import { requiredPrompt } from "../given-id.ts";

export async function run(call: Call): Promise<Data> {
  const id = requiredPrompt(call.given);
  return openWorktree(await findPlan(call), id);
}
