/** The account that pays for an agent: a usage limit counts for all its agents, in all runs of this user (CORE-77). Pure. */
import type { Settings } from "../../config/settings.ts";

/**
 * What `agents.accounts` names for the agent of the role; else the agent's program, whatever its model. Other names are
 * accounts of their own.
 */
export function accountOf({ agents }: Pick<Settings, "agents">, role: string): string {
  const name = agents.roles[role] ?? agents.default;
  const [program = name] = name.split(":");
  const isModel = program !== "scripted" && program !== "mcp";
  const known = isModel ? program : name;
  return agents.accounts?.[name] ?? agents.accounts?.[known] ?? known;
}
