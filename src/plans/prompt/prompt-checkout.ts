/** Finds the worktree of a started prompt, for commands that work in it from any folder. */
import { openRepository, type Repository } from "../../git/repository.ts";
import { AppError } from "../../lib/errors.ts";
import { requireStarted } from "./change-prompt.ts";
import type { PlanLocation } from "../find-plan.ts";
import { idText, type PromptId } from "./prompt-id.ts";
import { readPrompt } from "./prompt.ts";
import { worktreeOf } from "../worktree/worktree.ts";

export interface PromptCheckout {
  readonly path: string;
  /** The branch of the prompt. */
  readonly branch: string;
  /** False during a rebase. */
  readonly isOnBranch: boolean;
}

export async function promptCheckout(plan: PlanLocation, id: PromptId): Promise<PromptCheckout> {
  const branch = requireStarted(await readPrompt(plan, id));
  const worktree = await worktreeOf(plan.repository, branch);
  if (worktree === null || worktree.isMain) throw noWorktree(id, worktree !== null);
  return { path: worktree.path, branch, isOnBranch: worktree.branch === branch };
}

/** Opens the repository from the prompt's worktree. */
export async function openCheckout(plan: PlanLocation, id: PromptId): Promise<Repository> {
  return openRepository((await promptCheckout(plan, id)).path, plan.repository);
}

function noWorktree(id: PromptId, isMain: boolean): AppError {
  const why = isMain ? "is checked out in the main checkout" : "has no worktree";
  return new AppError("worktree_failed", `the branch of prompt ${idText(id)} ${why}`, {
    hint: `${isMain ? "check out another branch there, then " : ""}envoy git worktree ${idText(id).replace("_", " ")}`,
  });
}
