import { findPlan } from "../../../plans/place.ts";
import { startPrompt } from "../../../plans/prompt/start-prompt.ts";
import type { Call, Data } from "../../command.ts";
import { promptOf } from "../given-id.ts";

export async function run(call: Call): Promise<Data> {
  const id = promptOf(call.given);
  return startPrompt(await findPlan(call), id, {
    specialist: call.given.need("specialist"),
    worktree: call.given.need("worktree"),
  });
}
