/** Changes one literal of an expected value in a script, so that the value is certainly a different one. */
import { rangeOf, isNode, nodesIn, wordOf, type SyntaxNode } from "../syntax.ts";
import type { Draw } from "./edit.ts";
import type { Edit } from "../text-edits.ts";

/**
 * How the new value must differ. `other`: it is not equal. `rare`: no list or text of the test contains it either. `far`: the
 * distance exceeds every tolerance.
 */
export type Difference = "other" | "rare" | "far";

/** Expected values of the file: a matcher that accepts known values also accepts the wrong one of them. */
export interface KnownValues {
  readonly numbers: readonly number[];
  readonly strings: readonly string[];
}

export function knownValues(leaves: readonly SyntaxNode[]): KnownValues {
  const values = leaves.map(valueOf);
  return {
    numbers: values.filter((value) => typeof value === "number"),
    // A text that looks like a number may be loosely equal to one.
    strings: values
      .filter((value) => typeof value === "string")
      .filter((value) => Number.isNaN(Number(value))),
  };
}

/** The literals in an expected value whose change makes it a different value; empty containers count as literals. */
export function leavesOf(given: unknown, difference: Difference): readonly SyntaxNode[] {
  const node = withoutTypes(given);
  if (node === null) return [];
  if (difference === "far") return typeof valueOf(node) === "number" ? [node] : [];
  if (node.type === "ArrayExpression") {
    const elements = nodesIn(node["elements"]).filter(({ type }) => type !== "SpreadElement");
    if (Array.isArray(node["elements"]) && node["elements"].length === 0) return emptyLeaf(node, difference);
    return elements.flatMap((element) => leavesOf(element, difference));
  }
  if (node.type === "ObjectExpression") return objectLeaves(node, difference);
  const value = valueOf(node);
  const isText = typeof value === "number" || typeof value === "string" || typeof value === "bigint";
  if (isText || node.type === "RegExpLiteral") return [node];
  return difference === "other" && value !== unknownValue ? [node] : [];
}

function emptyLeaf(node: SyntaxNode, difference: Difference): readonly SyntaxNode[] {
  return difference === "other" ? [node] : [];
}

/** A later spread, computed key or key of the same name could replace a property. */
function objectLeaves(node: SyntaxNode, difference: Difference): readonly SyntaxNode[] {
  const all = nodesIn(node["properties"]);
  if (all.length === 0) return emptyLeaf(node, difference);
  const values = new Map<string, unknown>();
  for (const property of all) {
    const key = wordOf(property["key"]);
    if (property["computed"] === true || key === null || key === "__proto__") values.clear();
    else values.set(key, property.type === "ObjectProperty" ? property["value"] : null);
  }
  return [...values.values()].flatMap((value) => leavesOf(value, difference));
}

/** `x as T`, `x satisfies T`, `x!` and `(x)` are x. */
export function withoutTypes(given: unknown): SyntaxNode | null {
  if (!isNode(given)) return null;
  const isWrapped = /^(?:TS(?:As|Satisfies|NonNull)Expression|TSTypeAssertion|ParenthesizedExpression)$/.test(
    given.type,
  );
  return isWrapped ? withoutTypes(given["expression"]) : given;
}

export const unknownValue = Symbol("unknown");

/** The value of a literal; `unknownValue` for any other node. */
export function valueOf(node: SyntaxNode): unknown {
  switch (node.type) {
    case "StringLiteral":
    case "NumericLiteral":
    case "BooleanLiteral":
      return node["value"];
    case "BigIntLiteral":
      return BigInt(String(node["value"]));
    case "NullLiteral":
      return null;
    case "Identifier":
      return node["name"] === "undefined" ? undefined : unknownValue;
    case "TemplateLiteral":
      return plainTemplate(node) ?? unknownValue;
    case "UnaryExpression":
      return negative(node);
    default:
      return unknownValue;
  }
}

/** Null for a template with expressions. */
export function plainTemplate(node: SyntaxNode): string | null {
  const parts = nodesIn(node["quasis"]);
  if (nodesIn(node["expressions"]).length > 0 || parts.length !== 1) return null;
  const value = parts[0]?.["value"];
  const cooked = typeof value === "object" && value !== null ? Reflect.get(value, "cooked") : null;
  return typeof cooked === "string" ? cooked : null;
}

function negative(node: SyntaxNode): unknown {
  const inner = isNode(node["argument"]) ? valueOf(node["argument"]) : unknownValue;
  if (node["operator"] !== "-") return unknownValue;
  return typeof inner === "number" || typeof inner === "bigint" ? -inner : unknownValue;
}

/** Replaces one leaf by a literal of the same type. */
export function changedLeaf(
  leaf: SyntaxNode,
  difference: Difference,
  { draw, known }: { readonly draw: Draw; readonly known: KnownValues },
): Edit {
  const at = rangeOf(leaf);
  return { ...at, text: newText(leaf, difference, { draw, known }) };
}

function newText(
  leaf: SyntaxNode,
  difference: Difference,
  { draw, known }: { readonly draw: Draw; readonly known: KnownValues },
): string {
  if (leaf.type === "ArrayExpression") return `[${draw.pick(small)}]`;
  if (leaf.type === "ObjectExpression") return `{ ${draw.name()}: ${draw.pick(small)} }`;
  if (leaf.type === "RegExpLiteral") return `/(?!)${String(leaf["pattern"])}/${String(leaf["flags"])}`;
  const value = valueOf(leaf);
  switch (typeof value) {
    case "number":
      return inSign(newNumber(value, difference, { draw, known }));
    case "bigint":
      return `${value + BigInt(draw.pick(small))}n`;
    case "string": {
      const others = known.strings.filter((other) => other !== value);
      const isFree = difference === "rare" || others.length === 0 || !Number.isNaN(Number(value));
      return JSON.stringify(isFree ? `${value}${value === "" ? "" : " "}${draw.name()}` : draw.pick(others));
    }
    case "boolean":
      return String(!value);
    default:
      return String(draw.pick(small)); // null and undefined
  }
}

const small: readonly number[] = Array.from({ length: 90 }, (_, at) => at + 7);

function newNumber(
  value: number,
  difference: Difference,
  { draw, known }: { readonly draw: Draw; readonly known: KnownValues },
): number {
  if (difference === "far") return value + 1e9 + Math.abs(value);
  const others = known.numbers.filter((other) => other !== value);
  if (difference === "other" && others.length > 0) return draw.pick(others);
  const next = value + draw.pick(small) * (difference === "rare" ? 1009 : 1);
  return next === value ? value / 2 : next;
}

/** Negative numbers in brackets, because an operator may come before them. */
function inSign(value: number): string {
  return value < 0 || Object.is(value, -0) ? `(${value})` : String(value);
}
