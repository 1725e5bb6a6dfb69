/** Notes in a control copy whether an assertion of a test ran, where all of them depend on loops, conditions or callbacks. */
import { assertionsIn, type FoundAssertion, type ScriptFacts } from "../cannot-fail/script-weak.ts";
import { rangeOf, isNode, lineOf, type SyntaxNode } from "../syntax.ts";
import { shortCode, type Flip } from "./edit.ts";
import { type Edit } from "../text-edits.ts";

/** Index that a test notes when an assertion ran. */
export const ranNote = -1;

const dependent =
  /^(?:For|While|DoWhile|If|Switch|Try)|^(?:Conditional|Logical|ArrowFunction|Function)Expression$|^FunctionDeclaration$/;

/** The assertions of a test; empty where one runs in any case, or another call may assert. */
export function watchedAssertions(test: SyntaxNode, facts: ScriptFacts): readonly FoundAssertion[] {
  const body = test["body"];
  if (!isNode(body) || body.type !== "BlockStatement") return [];
  const found = assertionsIn(test, facts);
  const isDependent = found.every(
    ({ assertion, around }) =>
      assertion !== "unknown" &&
      !assertion.isLater &&
      around.slice(1).some(({ type }) => dependent.test(type)),
  );
  return isDependent ? found : [];
}

/** Code before and after each assertion. */
export function watchingEdits(watched: readonly FoundAssertion[], list: string): readonly Edit[] {
  return watched.flatMap(({ node, around }) => {
    const { start, end } = rangeOf(node);
    const [block, statement] = around.slice(-2);
    // A bracket at the start of a statement could call what the line before ends with.
    const begins = statement?.type === "ExpressionStatement" && block?.type === "BlockStatement";
    const before = `${begins ? ";" : ""}(${list}.length || ${list}.push(${ranNote}), `;
    return [
      { start, end: start, text: before },
      { start: end, end, text: ")" },
    ];
  });
}

export function watchedAt(watched: readonly FoundAssertion[], text: string): Flip | undefined {
  const [first] = watched;
  if (first === undefined) return undefined;
  const { node } = first;
  return { line: lineOf(node), was: shortCode(text.slice(Number(node["start"]), Number(node["end"]))) };
}
