/** What an assertion of a script calls, and with which literals. */
import { everyNode, isNode, nodesIn, wordOf, type SyntaxNode } from "../syntax.ts";
import { withoutTypes } from "../flip/script-literals.ts";
import type { FoundLiteral } from "./found-literal.ts";
import { scriptValues, valueText } from "./script-values.ts";

/** Variables that a test declares, with their values. */
export type OwnValues = ReadonlyMap<string, SyntaxNode>;

export function ownValues(body: SyntaxNode): OwnValues {
  const declared = everyNode(body).filter(({ type }) => type === "VariableDeclarator");
  return new Map(
    declared.flatMap((one) => {
      const name = wordOf(one["id"]);
      return name !== null && isNode(one["init"]) ? [[name, one["init"]] as const] : [];
    }),
  );
}

export function callsSomething(actual: SyntaxNode, own: OwnValues): boolean {
  const nodes = [actual, ...usedValues(actual, own)].flatMap(everyNode);
  return nodes.some(({ type }) => type === "CallExpression" || type === "NewExpression");
}

/** The last name that is called or read: `total` of `cart.total()` and of `const result = total(list)`. */
export function subjectOf(given: unknown, own: OwnValues, depth = 0): string {
  const node = withoutTypes(given);
  if (node === null || depth > 5) return "";
  switch (node.type) {
    case "AwaitExpression":
      return subjectOf(node["argument"], own, depth + 1);
    case "ArrowFunctionExpression":
      return subjectOf(node["body"], own, depth + 1);
    case "CallExpression":
    case "NewExpression":
      return subjectOf(node["callee"], new Map(), depth + 1);
    case "MemberExpression": {
      const name = wordOf(node["property"]) ?? "";
      return node["computed"] === true || name === "length"
        ? subjectOf(node["object"], own, depth + 1)
        : name;
    }
    case "Identifier": {
      const value = own.get(wordOf(node) ?? "");
      return value === undefined ? (wordOf(node) ?? "") : subjectOf(value, own, depth + 1);
    }
    default:
      return "";
  }
}

/** The literals of the call; where it has none, those of the variables that it uses. */
export function inputsOf(actual: SyntaxNode, own: OwnValues): readonly string[] {
  const nodes = [actual, ...usedValues(actual, own)];
  const texts = nodes.flatMap((node) => [
    ...wholeLiterals(node).map(({ text }) => text),
    ...argumentsIn(node, own),
  ]);
  return [...new Set(texts)];
}

function usedValues(node: SyntaxNode, own: OwnValues, depth = 0): readonly SyntaxNode[] {
  if (depth > 3) return [];
  const names = new Set(
    everyNode(node).flatMap((one) => (one.type === "Identifier" ? [String(one["name"])] : [])),
  );
  const values = [...names].flatMap((name) => own.get(name) ?? []);
  return values.flatMap((value) => [value, ...usedValues(value, own, depth + 1)]);
}

/** Arguments of calls as one list, as a table of calls would hold them. */
function argumentsIn(node: SyntaxNode, own: OwnValues): readonly string[] {
  return everyNode(node).flatMap((one) => {
    const args =
      one.type === "CallExpression" || one.type === "NewExpression" ? nodesIn(one["arguments"]) : [];
    const values = args.map((arg) => valueText(own.get(wordOf(arg) ?? "") ?? arg));
    if (args.length < 2 || !values.every((value) => value !== null)) return [];
    return [`[${values.map(({ text, isString }) => (isString ? JSON.stringify(text) : text)).join(",")}]`];
  });
}

export function wholeLiterals(node: SyntaxNode): readonly FoundLiteral[] {
  return scriptValues(node).filter(({ isWhole, isValue }) => isWhole && isValue);
}
