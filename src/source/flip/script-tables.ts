/** Tables of a script: one test call that defines several tests, in a loop or by `each`. */
import { everyNode, isNode, nodesIn, wordOf, type SyntaxNode } from "../syntax.ts";
import { valueOf, withoutTypes } from "./script-literals.ts";

/** What is the same in the titles of one table's tests, from the start to the end; between these parts stands what a row gives. */
export type TitleParts = readonly string[];

export function scriptTables(program: SyntaxNode): readonly TitleParts[] {
  return everyNode(program).flatMap((node) => {
    if (node.type !== "CallExpression" || !definesTests(node["callee"])) return [];
    const parts = titleParts(nodesIn(node["arguments"])[0], isEach(node["callee"]));
    return parts === null ? [] : [parts];
  });
}

/** Whether a title has these parts in this order, the first at its start and the last at its end. */
export function hasParts(title: string, parts: TitleParts): boolean {
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (title.length < first.length + last.length || !title.startsWith(first) || !title.endsWith(last))
    return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = title.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= title.length - last.length;
}

/** `test`, `it.concurrent`, `test.each([…])`, `test.for` and the like. */
function definesTests(callee: unknown): boolean {
  let at: unknown = callee;
  while (isNode(at) && at.type !== "Identifier") at = at["object"] ?? at["callee"] ?? at["tag"];
  return /^(?:test|it|specify)$/.test(wordOf(at) ?? "");
}

function isEach(callee: unknown): boolean {
  const inner = isNode(callee) ? (callee["callee"] ?? callee["tag"]) : null;
  return isNode(inner) && /^(?:each|for)$/.test(wordOf(inner["property"]) ?? "");
}

/** Null for a title that is the same for each test, and for one without any words of its own. */
function titleParts(given: SyntaxNode | undefined, each: boolean): TitleParts | null {
  const node = withoutTypes(given);
  if (node === null) return null;
  const parts = node.type === "TemplateLiteral" ? templateParts(node) : each ? eachParts(node) : null;
  return parts === null || parts.length < 2 || !/\w{2}/.test(parts.join(" ")) ? null : parts;
}

function templateParts(node: SyntaxNode): readonly string[] {
  return nodesIn(node["quasis"]).map(({ value }) => {
    const cooked = typeof value === "object" && value !== null ? Reflect.get(value, "cooked") : null;
    return typeof cooked === "string" ? cooked : "";
  });
}

/** `adds %i and $b` of vitest and jest. */
function eachParts(node: SyntaxNode): readonly string[] | null {
  const title = valueOf(node);
  return typeof title === "string" ? title.split(/%[sdifjoOpc#$%]|\$\{?[\w.]+\}?/) : null;
}
