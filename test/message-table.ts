/** The table of the messages that people read, collected from the sources: errors with their hints, and texts with a count (SEE-04). */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isNode, lineOf, loadParser, nodesIn, type SyntaxNode } from "../src/source/syntax.ts";

export interface ErrorRow {
  readonly at: string;
  /** A value that is put in is `X`. */
  readonly message: string;
  /** Empty if it is not written at the error. */
  readonly hint: string;
}

/** A text with a count of things. */
export interface CountRow {
  readonly at: string;
  /** The text for this count; other values are `X`. Where the text chooses between two words, there is one text for each. */
  render(count: number): readonly string[];
  /** Whether another text is taken for one thing. */
  readonly isForMany: boolean;
}

export interface MessageTable {
  readonly errors: readonly ErrorRow[];
  readonly counts: readonly CountRow[];
}

export async function messageTable(): Promise<MessageTable> {
  const parse = await loadParser();
  const table: { readonly errors: ErrorRow[]; readonly counts: CountRow[] } = { errors: [], counts: [] };
  for (const name of readdirSync("src", { recursive: true, encoding: "utf8" })) {
    if (!/\.tsx?$/u.test(name) || name.includes(".test.")) continue;
    const file = join("src", name);
    const text = readFileSync(file, "utf8");
    if (!/AppError\(|counted\(/u.test(text)) continue;
    const tree = parse(file, text);
    if (tree === null) throw new Error(`${file} does not parse`);
    for (const { node, isForMany } of allNodes(tree)) {
      const at = `${file}:${lineOf(node)}`;
      if (node.type === "NewExpression" && isCallOf(node, "AppError"))
        table.errors.push({ at, ...errorOf(node) });
      if (node.type === "TemplateLiteral" && countedOf(node).length > 0)
        table.counts.push({ at, isForMany, render: (count) => rendered(node, count) });
    }
  }
  return table;
}

interface Place {
  readonly node: SyntaxNode;
  /** Within a choice by whether there is one. */
  readonly isForMany: boolean;
}

function* allNodes(node: SyntaxNode, isForMany = false): Generator<Place> {
  yield { node, isForMany };
  const test = node.type === "ConditionalExpression" ? node["test"] : null;
  const chooses = isNode(test) && isNode(test["right"]) && test["right"]["value"] === 1;
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child)) yield* allNodes(child, isForMany || chooses);
}

function isCallOf({ callee }: SyntaxNode & { readonly callee?: unknown }, name: string): boolean {
  return isNode(callee) && callee["name"] === name;
}

function errorOf(node: SyntaxNode): Omit<ErrorRow, "at"> {
  const [, message, options] = nodesIn(node["arguments"]);
  const named = options === undefined ? [] : nodesIn(options["properties"]);
  const hint = named.find(({ key }) => isNode(key) && key["name"] === "hint")?.["value"];
  return { message: textOf(message), hint: isNode(hint) ? textOf(hint) : "" };
}

/** The literal parts of an expression; of a choice all its texts. */
function textOf(node: SyntaxNode | undefined): string {
  if (node?.type === "StringLiteral") return String(node["value"]);
  if (node?.type === "TemplateLiteral") return partsOf(node).join("X");
  if (node?.type === "ConditionalExpression" || node?.type === "BinaryExpression")
    return ["consequent", "alternate", "left", "right"]
      .flatMap((name) => (isNode(node[name]) ? [textOf(node[name])] : []))
      .join(node.type === "BinaryExpression" ? "" : "; ");
  return "X";
}

function partsOf(template: SyntaxNode): readonly string[] {
  return nodesIn(template["quasis"]).map(({ value }) => (value as { cooked: string }).cooked);
}

function countedOf(template: SyntaxNode): readonly SyntaxNode[] {
  return nodesIn(template["expressions"]).filter(
    (one) => one.type === "CallExpression" && isCallOf(one, "counted"),
  );
}

function rendered(template: SyntaxNode, count: number): readonly string[] {
  const values = nodesIn(template["expressions"]).map((one) => valuesOf(one, count));
  return partsOf(template).reduce<readonly string[]>(
    (texts, part, index) => {
      const before = index === 0 ? [""] : (values[index - 1] ?? ["X"]);
      return texts.flatMap((text) => before.map((value) => text + value + part));
    },
    [""],
  );
}

/** A count, a choice between words, or a value. */
function valuesOf(node: SyntaxNode, count: number): readonly string[] {
  if (node.type === "CallExpression" && isCallOf(node, "counted")) {
    const [, one, many] = nodesIn(node["arguments"]);
    const name = one?.type === "StringLiteral" ? String(one["value"]) : "thing";
    return [`${count} ${count === 1 ? name : many === undefined ? `${name}s` : textOf(many)}`];
  }
  if (node.type !== "ConditionalExpression") return ["X"];
  const [first, second] = [node["consequent"], node["alternate"]];
  return isNode(first) && isNode(second) ? [textOf(first), textOf(second)] : ["X"];
}
