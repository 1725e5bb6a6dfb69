/** Finds the literals of a JavaScript or TypeScript program, and what the program uses them for. */
import { rangeOf, fieldsOf, isNode, nodesIn, wordOf, type SyntaxNode } from "../syntax.ts";
import { unknownValue, valueOf, withoutTypes } from "../flip/script-literals.ts";
import { nested, type FoundLiteral } from "./found-literal.ts";

/** What a literal is in. */
type Around = Pick<FoundLiteral, "role" | "within" | "isWhole" | "isValue">;

const outside: Around = { role: "plain", within: null, isWhole: true, isValue: true };

export function scriptValues(node: SyntaxNode): readonly FoundLiteral[] {
  const found: FoundLiteral[] = [];
  visit(node, outside, found);
  return found;
}

/** The value of an expression that consists of literals only; null for all others. */
export function valueText(node: SyntaxNode): { readonly text: string; readonly isString: boolean } | null {
  const plain = withoutTypes(node);
  if (plain === null) return null;
  if (plain.type === "ArrayExpression") {
    const all: readonly unknown[] = Array.isArray(plain["elements"]) ? plain["elements"] : [];
    const items = all.map((one) => (isNode(one) ? valueText(one) : null));
    return items.every((item) => item !== null)
      ? { text: `[${items.map(({ text, isString }) => nested(text, isString)).join(",")}]`, isString: false }
      : null;
  }
  if (plain.type === "ObjectExpression") return objectText(plain);
  const value = valueOf(plain);
  if (value === unknownValue) return null;
  return { text: String(value), isString: typeof value === "string" };
}

function objectText(node: SyntaxNode): ReturnType<typeof valueText> {
  const parts = nodesIn(node["properties"]).map((property) => {
    const key = property["computed"] === true ? null : wordOf(property["key"]);
    const value = isNode(property["value"]) ? valueText(property["value"]) : null;
    return key === null || value === null || property.type !== "ObjectProperty"
      ? null
      : `${JSON.stringify(key)}:${nested(value.text, value.isString)}`;
  });
  return parts.every((part) => part !== null) ? { text: `{${parts.join(",")}}`, isString: false } : null;
}

function visit(node: SyntaxNode, around: Around, found: FoundLiteral[]): void {
  if (isLanguage(node)) return;
  const value = valueText(node);
  const at = rangeOf(node);
  if (value !== null && node.type !== "Identifier") found.push({ ...at, text: value.text, ...around });
  const inner = { ...around, ...(value === null ? { isWhole: true } : { isWhole: false }) };
  if (node.type === "ObjectExpression") visitObject(node, inner, found);
  else if (node.type === "ArrayExpression") {
    const within = around.within ?? at.start;
    const pairs = isTableOfPairs(node);
    for (const element of nodesIn(node["elements"]))
      if (pairs && element.type === "ArrayExpression")
        for (const [index, one] of nodesIn(element["elements"]).entries())
          visit(one, { ...inner, within: at.start, role: index === 0 ? "key" : "plain" }, found);
      else visit(element, { ...inner, within }, found);
  } else if (value === null) {
    const comparing = node.type === "BinaryExpression" && /^[=!]==?$/.test(String(node["operator"]));
    for (const [field, child] of fieldsOf(node)) {
      const isCompared =
        comparing || (node.type === "SwitchCase" && field === "test") || isListed(node, field);
      const role = isCompared ? "compared" : "plain";
      const isValue = around.isValue && !node.type.startsWith("JSX");
      for (const one of isNode(child) ? [child] : nodesIn(child))
        visit(one, { role, within: null, isWhole: true, isValue }, found);
    }
  }
}

/** A list of pairs, as of `new Map`. */
function isTableOfPairs(node: SyntaxNode): boolean {
  const rows = nodesIn(node["elements"]);
  return (
    rows.length > 1 &&
    rows.every((row) => row.type === "ArrayExpression" && nodesIn(row["elements"]).length === 2)
  );
}

/** The list in `[…].includes(x)`. */
function isListed(node: SyntaxNode, field: string): boolean {
  return (
    node.type === "MemberExpression" &&
    field === "object" &&
    /^(?:includes|indexOf|has)$/.test(wordOf(node["property"]) ?? "")
  );
}

function visitObject(node: SyntaxNode, inner: Around, found: FoundLiteral[]): void {
  const within = Number(node["start"]);
  for (const property of nodesIn(node["properties"])) {
    const key = property["key"];
    const text = isNode(key) ? keyText(key, property["computed"] === true) : null;
    if (text !== null && isNode(key))
      found.push({
        ...rangeOf(key),
        text,
        within,
        role: "key",
        isWhole: false,
        isValue: false,
      });
    if (property.type !== "ObjectProperty") visit(property, { ...inner, within: null, isWhole: true }, found);
    else if (isNode(property["value"])) visit(property["value"], { ...inner, within, role: "plain" }, found);
  }
}

function keyText(key: SyntaxNode, isComputed: boolean): string | null {
  if (!isComputed) return wordOf(key);
  return valueText(key)?.text ?? null;
}

/** Types, imports and what is called with names of modules. */
export function isLanguage(node: SyntaxNode): boolean {
  if (/^(?:Import|ExportAll|Directive|TemplateElement)/.test(node.type)) return true;
  if (node.type.startsWith("TS"))
    return !/^TS(?:As|Satisfies|NonNull)Expression$|^TSTypeAssertion$/.test(node.type);
  const callee = node.type === "CallExpression" && isNode(node["callee"]) ? node["callee"] : null;
  if (callee?.type === "MemberExpression") return /^(?:vi|jest)$/.test(wordOf(callee["object"]) ?? "");
  return callee !== null && (wordOf(callee) === "require" || callee.type === "Import");
}
