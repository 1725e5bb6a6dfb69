/** The statements of JavaScript and TypeScript in which lines changed: where a run is noted, without moving a line. */
import { everyNode, isNode, nodesIn, type SyntaxFile, type SyntaxNode } from "../syntax.ts";
import type { Mark } from "./mutant.ts";

/** Each changed line belongs to its innermost statement. Declarations of functions, classes and types run nothing. */
export function scriptMarks({ program }: SyntaxFile, lines: readonly number[]): readonly Mark[] {
  const spots = everyStatement(program);
  const owner = new Map<Spot, number[]>();
  for (const line of lines) {
    const around = spots.filter((spot) => spot.top <= line && line <= spot.bottom);
    const inner = around.toSorted((one, other) => one.end - one.start - (other.end - other.start))[0];
    if (inner !== undefined) owner.set(inner, [...(owner.get(inner) ?? []), line]);
  }
  return [...owner].map(([{ start, end, before, after }, own]) => ({
    start,
    end,
    first: start,
    last: end,
    before,
    after,
    lines: own,
  }));
}

interface Spot extends Omit<Mark, "lines" | "first" | "last"> {
  readonly top: number;
  readonly bottom: number;
}

function everyStatement(program: SyntaxNode): readonly Spot[] {
  return everyNode(program).flatMap((node): readonly Spot[] => [
    ...listed(node)
      .filter(runs)
      .map((one) => spot(one, "@;", "")),
    ...alone(node).map((one) => spot(one, "{@;", "}")),
    ...(node.type === "ArrowFunctionExpression" &&
    isNode(node["body"]) &&
    node["body"].type !== "BlockStatement"
      ? [spot(node["body"], "(@,(", "))")]
      : []),
  ]);
}

/** The statements of a list, before each of which a call can stand. */
function listed(node: SyntaxNode): readonly SyntaxNode[] {
  switch (node.type) {
    case "Program":
    case "BlockStatement":
    case "StaticBlock":
      return nodesIn(node["body"]);
    case "SwitchCase":
      return nodesIn(node["consequent"]);
    default:
      return [];
  }
}

const running =
  /^(?:Expression|Return|If|For|ForIn|ForOf|While|DoWhile|Throw|Try|Switch|Break|Continue|Labeled)Statement$/u;

function runs(node: SyntaxNode): boolean {
  if (node.type === "VariableDeclaration") return node["declare"] !== true;
  const { declaration } = node;
  if (node.type === "ExportNamedDeclaration") return isNode(declaration) && runs(declaration);
  return running.test(node.type);
}

/** A single statement in place of a block. */
function alone(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.type === "LabeledStatement") return [];
  const fields = node.type === "IfStatement" ? ["consequent", "alternate"] : ["body"];
  const isHead =
    node.type === "IfStatement" || /^(?:For|ForIn|ForOf|While|DoWhile)Statement$/u.test(node.type);
  return isHead
    ? fields
        .map((field) => node[field])
        .filter(isNode)
        .filter(runs)
    : [];
}

interface Located {
  readonly start?: number;
  readonly end?: number;
  readonly loc?: { readonly start: { readonly line: number }; readonly end: { readonly line: number } };
}

function spot(node: SyntaxNode, before: string, after: string): Spot {
  const { start = 0, end = 0, loc } = node as Located;
  return { start, end, before, after, top: loc?.start.line ?? 0, bottom: loc?.end.line ?? 0 };
}
