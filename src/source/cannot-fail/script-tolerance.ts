/** Assertions of a script with a tolerance; see tolerance.ts. */
import { valueOf, withoutTypes } from "../flip/script-literals.ts";
import { isNode, nodesIn, wordOf, type SyntaxNode } from "../syntax.ts";
import { toleranceWeakness } from "./tolerance.ts";

type Found = ReturnType<typeof toleranceWeakness>;

/** `toBeCloseTo(expected, digits)`, and `closeTo(expected, distance)` of chai. */
export function ofCloseness(matcher: string, args: readonly SyntaxNode[]): Found {
  const [expected, given] = args.map(numberOf);
  if (matcher !== "toBeCloseTo") return ofNumbers(expected, given);
  return ofNumbers(expected, 10 ** -(given ?? 2) / 2);
}

/** `Math.abs(actual - expected) < tolerance`, in either order. */
export function ofDistance({ operator, left, right }: SyntaxNode): Found {
  if (operator === ">" || operator === ">=") return distance(right, left);
  return operator === "<" || operator === "<=" ? distance(left, right) : null;
}

function distance(measured: unknown, limit: unknown): Found {
  if (!isNode(measured) || measured.type !== "CallExpression") return null;
  const { callee } = measured;
  const isAbs = isNode(callee) && wordOf(callee["object"]) === "Math" && wordOf(callee["property"]) === "abs";
  const [difference] = nodesIn(measured["arguments"]);
  if (!isAbs || difference?.["operator"] !== "-") return null;
  return ofNumbers(numberOf(difference["right"]) ?? numberOf(difference["left"]), numberOf(limit));
}

function ofNumbers(expected: number | undefined, tolerance: number | undefined): Found {
  return expected === undefined || tolerance === undefined ? null : toleranceWeakness(expected, tolerance);
}

function numberOf(given: unknown): number | undefined {
  const node = withoutTypes(given);
  const value = node === null ? undefined : valueOf(node);
  return typeof value === "number" ? value : undefined;
}
