/** The commands of `envoy git`. */
import { flag, optional, text, word } from "../../../lib/command-line/row.ts";
import { ownCheckout, promptNumber, variant, type EnvoyCommand } from "../../command.ts";

export const git: readonly EnvoyCommand[] = [
  {
    name: "git worktree",
    summary: "create the branch and the worktree of a started prompt, or find them",
    inputs: [promptNumber, variant],
    load: async () => ({ run: (await import("./worktrees.ts")).open }),
  },
  {
    name: "git commit",
    summary: "commit all changes in the worktree of a prompt",
    inputs: [promptNumber, variant, text("message", "what was done")],
    load: async () => ({ run: (await import("./worktrees.ts")).commit }),
  },
  {
    name: "git diff-base",
    summary:
      "the changes of this checkout, or of a prompt's worktree, against the base branch, committed or not",
    inputs: [
      ...ownCheckout,
      optional(word("path", "only this file or folder")),
      flag("summary", "without the diff itself"),
    ],
    load: () => import("./diff-base.ts"),
  },
  {
    name: "git merge-worktree",
    summary: "test the merged tree, then merge a prompt's branch into the feature branch",
    inputs: [promptNumber, variant],
    load: () => import("./merge-worktree.ts"),
  },
  {
    name: "git update-worktree",
    summary: "merge the feature branch into the worktree of a prompt, where you resolve conflicts",
    inputs: [promptNumber, variant],
    load: async () => ({ run: (await import("./worktrees.ts")).update }),
  },
  {
    name: "git discard-worktree",
    summary: "archive the branch of a discarded variant and remove its worktree",
    inputs: [promptNumber, variant],
    load: async () => ({ run: (await import("./worktrees.ts")).discard }),
  },
];
