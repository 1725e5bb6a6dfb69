/** The commands on the worktree of a prompt, except those that prove or compare. */
import { systemClock } from "../../../lib/clock.ts";
import { commitPrompt } from "../../../plans/worktree/commit.ts";
import { discardWorktree } from "../../../plans/worktree/discard-worktree.ts";
import { updateWorktree } from "../../../plans/worktree/update-worktree.ts";
import { openWorktree } from "../../../plans/worktree/worktree.ts";
import { onPrompt } from "../on-prompt.ts";

export const open = onPrompt(openWorktree);

export const commit = onPrompt(async (plan, id, { given }) => ({
  ...(await commitPrompt(plan, id, given.need("message"))),
}));

export const update = onPrompt(updateWorktree);

export const discard = onPrompt((plan, id) => discardWorktree(plan, id, systemClock));
