/** The false assertion that ends each test of a control copy. */
import { everyNode, isNode, type SyntaxNode } from "../syntax.ts";
import type { Asserter, Bindings } from "./script-bindings.ts";

/** Code of a false assertion on two strings. */
export type Closing = (one: string, other: string) => string;

/** A false assertion with a function that the file uses itself. */
export function closingOf(program: SyntaxNode, bindings: Bindings, text: string): Closing | null {
  // A global `expect` of chai that a setup file provides.
  const isChai = /\)\s*\.to\s*\./.test(text);
  for (const node of everyNode(program)) {
    if (node.type !== "CallExpression") continue;
    const name = calledName(node["callee"]);
    const asserter = name === null ? null : bindings(name);
    const closing = name === null || asserter === null ? null : closingWith(name, asserter, isChai);
    if (closing !== null) return closing;
  }
  return null;
}

function closingWith(name: string, asserter: Asserter, isChai: boolean): Closing | null {
  switch (asserter.kind) {
    case "expect":
      return (one, other) => `${name}(${one}).${asserter.chai || isChai ? "to.equal" : "toBe"}(${other});`;
    case "assert":
      return (one, other) => `${name}.strictEqual(${one}, ${other});`;
    case "method":
      return /^(?:strict|deep|deepStrict)?[eE]qual$/.test(asserter.name)
        ? (one, other) => `${name}(${one}, ${other});`
        : null;
  }
}

/** The first name of a callee: `assert` of `assert.equal`. */
function calledName(callee: unknown): string | null {
  let at = callee;
  while (isNode(at) && at.type === "MemberExpression") at = at["object"];
  return isNode(at) && at.type === "Identifier" ? String(at["name"]) : null;
}
