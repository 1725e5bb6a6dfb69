/** The table of all commands. A group adds one line here and its own table. */
import { flag, option, type CommandTable } from "../lib/command-line/row.ts";
import type { EnvoyCommand } from "./command.ts";
import { gemini } from "./commands/gemini/table.ts";
import { git } from "./commands/git/table.ts";
import { knowledge } from "./commands/knowledge/table.ts";
import { plan } from "./commands/plan/table.ts";
import { protocolRow } from "./protocol-line.ts";

/** The commands that answer with one object. */
export const commands: readonly EnvoyCommand[] = [...plan, ...git, ...gemini, ...knowledge];

export const program: CommandTable<EnvoyCommand> = {
  name: "envoy",
  readers: "agents",
  rows: [{ ...protocolRow, load: () => import("./protocol.ts") }, ...commands],
  everywhere: [
    option("agent NAME", "name of the caller, for the record"),
    option("feature-branch NAME", "the branch of the plan; by default the current branch"),
    option("wait SECONDS", "how long to wait for a person, at most 540"),
    flag("json", "has no effect: every answer is JSON", { hidden: true }),
  ],
  groups: {
    plan: "the plan of a feature branch: its prompts, its gates, its findings",
    git: "the worktrees of prompts, their commits and their merges",
    gemini: "a review of the work on a prompt",
    knowledge: "search the documentation of this checkout",
  },
};
