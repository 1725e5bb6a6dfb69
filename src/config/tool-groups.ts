/** The groups of tools that `mettle mcp --tools` chooses from, outside a dispatch. */
import { AppError } from "../lib/errors.ts";

const toolGroups = ["memory", "session", "envoy"] as const;
export type ToolGroup = (typeof toolGroups)[number];

/** @param text names with commas between them; null: all groups. @throws usage for an unknown name */
export function readToolGroups(text: string | null): readonly ToolGroup[] {
  if (text === null) return toolGroups;
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !toolGroups.some((group) => group === name));
  if (unknown === undefined) return toolGroups.filter((group) => names.includes(group));
  throw new AppError("usage", `"${unknown}" is no group of tools`, {
    hint: `known: ${toolGroups.join(", ")}; for example mettle mcp --tools memory`,
  });
}
