/** The syntax of a spec id. It becomes part of branch names and node ids. */
const rule = /^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*$/u;
const maxIdChars = 40;

export const idRuleText = `letters and digits, single - or _ between them, at most ${maxIdChars} characters`;

export function isNodeId(id: string): boolean {
  return rule.test(id) && id.length <= maxIdChars;
}

/** Makes an id of any name; empty if no character can stay. */
export function nodeIdFrom(name: string): string {
  const parts = name.match(/[A-Za-z0-9]+/gu) ?? [];
  return parts.join("-").slice(0, maxIdChars).replace(/-$/u, "");
}
