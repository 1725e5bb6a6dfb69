/** The commands of `envoy git`. */
import { flag, optional, text, word } from "../../../lib/command-line/row.ts";
import { ownCheckout, promptNumber, variant, type EnvoyCommand } from "../../command.ts";

export const git: readonly EnvoyCommand[] = [
  {
    name: "git worktree",
    summary: "the branch and the worktree of a started prompt, made once and found again",
    inputs: [promptNumber, variant],
    load: () => import("./worktree.ts"),
  },
  {
    name: "git commit",
    summary: "commit all that the worktree of a prompt holds",
    inputs: [promptNumber, variant, text("message", "what was done")],
    load: () => import("./commit.ts"),
  },
  {
    name: "git diff-base",
    summary: "what this checkout, or a prompt's worktree, holds beyond the base branch, committed or not",
    inputs: [
      ...ownCheckout,
      optional(word("path", "only this file or folder")),
      flag("summary", "without the diff itself"),
    ],
    load: () => import("./diff-base.ts"),
  },
  {
    name: "git merge-worktree",
    summary: "merge a prompt's branch into the feature branch, after its merged tree was tested",
    inputs: [promptNumber, variant],
    load: () => import("./merge-worktree.ts"),
  },
  {
    name: "git update-worktree",
    summary: "merge the feature branch into the worktree of a prompt, where conflicts are to be resolved",
    inputs: [promptNumber, variant],
    load: () => import("./update-worktree.ts"),
  },
  {
    name: "git discard-worktree",
    summary: "archive the branch of a discarded variant and remove its worktree",
    inputs: [promptNumber, variant],
    load: () => import("./discard-worktree.ts"),
  },
];
