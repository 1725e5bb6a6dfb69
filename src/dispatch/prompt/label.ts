import type { RunContext } from "../../run/context.ts";
import { reviewerRoles } from "../../run/reviews.ts";

/** A reviewer's display name, fixed when the run started. */
export function labelOf(
  { protocol, started }: Pick<RunContext, "protocol" | "started">,
  role: string,
): string {
  return (
    started.reviewers[reviewerRoles(protocol.roles).indexOf(role)] ?? protocol.roles[role]?.label ?? role
  );
}

/** A display name for each reviewer role, in order; equal names get a number (ORC-64). */
export function reviewerLabels(names: Pick<RunContext, "protocol" | "settings">): string[] {
  const labels = reviewerRoles(names.protocol.roles).map((role) => nameOf(names, role));
  const twice = new Set(labels).size < labels.length;
  return labels.map((label, index) => (twice ? `${label} ${index + 1}` : label));
}

/** The role's label, or the name of its agent if that differs from the role's. */
function nameOf({ protocol, settings }: Pick<RunContext, "protocol" | "settings">, role: string): string {
  const label = protocol.roles[role]?.label ?? role;
  const [kind = role, name] = (settings.agents.roles[role] ?? settings.agents.default).split(":");
  const mapped = kind === "mcp" ? (name ?? kind) : kind;
  if (mapped === role || mapped === "scripted") return label;
  return `${mapped.slice(0, 1).toUpperCase()}${mapped.slice(1)}`;
}
