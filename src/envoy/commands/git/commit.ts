import { commitPrompt } from "../../../plans/worktree/commit.ts";
import { findPlan } from "../../../plans/find-plan.ts";
import type { Call, Data } from "../../command.ts";
import { requiredPrompt } from "../prompt-argument.ts";

export async function run(call: Call): Promise<Data> {
  const id = requiredPrompt(call.given);
  return { ...(await commitPrompt(await findPlan(call), id, call.given.need("message"))) };
}
