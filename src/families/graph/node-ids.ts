/** How the id of a spec is written: it becomes a part of branch names and of the ids of nodes. */
const rule = /^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*$/u;
const maxIdChars = 40;

export const idRuleText = `letters and digits, single - or _ between them, at most ${maxIdChars} characters`;

export function isNodeId(id: string): boolean {
  return rule.test(id) && id.length <= maxIdChars;
}

/** The nearest id to any name; empty where nothing of it can stay. */
export function nodeIdFrom(name: string): string {
  const parts = name.match(/[A-Za-z0-9]+/gu) ?? [];
  return parts.join("-").slice(0, maxIdChars).replace(/-$/u, "");
}
