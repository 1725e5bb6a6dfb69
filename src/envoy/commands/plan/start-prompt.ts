import { findPlan } from "../../../plans/place.ts";
import { startPrompt } from "../../../plans/prompt/start-prompt.ts";
import type { Call, Data } from "../../command.ts";
import { requiredPrompt } from "../given-id.ts";

export async function run(call: Call): Promise<Data> {
  const id = requiredPrompt(call.given);
  return startPrompt(await findPlan(call), id, {
    specialist: call.given.need("specialist"),
    worktree: call.given.need("worktree"),
  });
}
