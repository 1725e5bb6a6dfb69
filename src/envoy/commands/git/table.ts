/** The commands of `envoy git`. */
import { promptNumber, variant, type EnvoyCommand } from "../../command.ts";

export const git: readonly EnvoyCommand[] = [
  {
    name: "git worktree",
    summary: "the branch and the worktree of a started prompt, made once and found again",
    inputs: [promptNumber, variant],
    load: () => import("./worktree.ts"),
  },
];
