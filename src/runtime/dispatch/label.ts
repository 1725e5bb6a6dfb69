import type { RunContext } from "../context.ts";

/** The role's own label, or the agent's name where a person mapped the role to another agent (ORC-64). */
export function labelOf(
  { protocol, settings }: Pick<RunContext, "protocol" | "settings">,
  role: string,
): string {
  const label = protocol.roles[role]?.label ?? role;
  const mapped = settings.agents.roles[role]?.split(":")[0];
  if (mapped === undefined || mapped === role || mapped === "scripted") return label;
  return `${mapped.slice(0, 1).toUpperCase()}${mapped.slice(1)}`;
}
