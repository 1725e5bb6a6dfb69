/** The commands of `envoy git`. */
import { promptNumber, text, variant, type EnvoyCommand } from "../../command.ts";

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
];
