/** Opens the checkout that a command works in: the worktree of the named prompt, else the current checkout. */
import { openRepository, type Repository } from "../../git/repository.ts";
import { findPlan } from "../../plans/find-plan.ts";
import { openCheckout } from "../../plans/prompt/prompt-checkout.ts";
import type { CommandCall } from "../command.ts";
import { optionalPrompt } from "./prompt-argument.ts";

export async function checkoutOf(call: CommandCall): Promise<Repository> {
  const id = optionalPrompt(call.given);
  return id === null ? openRepository(call.cwd, call) : openCheckout(await findPlan(call), id);
}
