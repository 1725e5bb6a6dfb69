/**
 * The bodies of a script's tests as functions that run them with neighbouring inputs: each literal goes through one function,
 * and each assertion only notes its actual value.
 */
import { everyNode, fieldsOf, isNode, nodesIn, wordOf, type SyntaxNode } from "../syntax.ts";
import type { Draw } from "../flip/edit.ts";
import { applyEdits, type Edit } from "../text-edits.ts";
import { readAssertion, type ReadAssertion } from "../flip/script-assertions.ts";
import type { Bindings } from "../flip/script-bindings.ts";
import { withoutTypes } from "../flip/script-literals.ts";
import type { ScriptTest } from "../flip/script-tests.ts";
import type { Assertion, NeighbourRuntime } from "./assertion.ts";
import {
  callsSomething,
  inputsOf,
  ownValues,
  subjectOf,
  wholeLiterals,
  type OwnValues,
} from "./script-calls.ts";
import { knownNumbers } from "./known-numbers.ts";
import { isLanguage, valueText } from "./script-values.ts";
import type { FoundLiteral } from "./found-literal.ts";

export interface ScriptBodies {
  /** The statement that hands over the body of a test; empty for one that cannot run again. */
  opening(test: ScriptTest): string;
  /** The test at the end of the file that runs all bodies. */
  closing(caller: string): string;
  readonly assertions: readonly Assertion[];
  readonly mark: string;
}

export interface BodiesRequest {
  readonly text: string;
  readonly bindings: Bindings;
  readonly draw: Draw;
  readonly runtime: NeighbourRuntime;
}

export function scriptBodies({ text, bindings, draw, runtime }: BodiesRequest): ScriptBodies {
  const [through, note] = [draw.name(), draw.name()];
  const { name: list, mark, firstSite, isLast } = runtime.list;
  const assertions: Assertion[] = [];
  let literals = 0;
  const opening = (test: ScriptTest): string => {
    const body = test.body["body"];
    if (!isNode(body) || test.body["generator"] === true) return "";
    const reading: Reading = {
      text,
      bindings,
      own: ownValues(body),
      test,
      edits: [],
      through,
      note,
      assertions,
      firstSite,
      next: () => (literals += 1),
    };
    const before = assertions.length;
    const isBlock = body.type === "BlockStatement";
    if (isBlock) rewrite(body, reading);
    else rewriteExpression(body, reading);
    if (assertions.length === before) return "";
    const isAsync = test.body["async"] === true || !isBlock;
    const [start, end] = placeOf(body);
    const code = rewritten(text, start, end, reading.edits);
    return `;(globalThis.${list} ??= []).push(${isAsync ? "async " : ""}(${through}, ${note}) => ${isBlock ? code : `{ ${code} }`}); `;
  };
  const closing = (caller: string): string => {
    if (!isLast || (assertions.length === 0 && firstSite === 0)) return "";
    const [wait, now, given] = [
      draw.name(),
      draw.name(),
      JSON.stringify({ ...runtime.limits, known: knownNumbers(assertions) }),
    ];
    const run = runtime.script.replace(/^export /m, "");
    const result = `await (${run})(globalThis.${list} ?? [], { ...${given}, wait: ${wait}, now: ${now} })`;
    return `\n;{ const ${wait} = setTimeout, ${now} = performance.now.bind(performance); ${caller}(${JSON.stringify(draw.title(" "))}, async () => { throw new Error(\`${mark}:[]|\${${result}}|\`); }); }\n`;
  };
  return { opening, closing, assertions, mark };
}

interface Reading {
  readonly text: string;
  readonly bindings: Bindings;
  /** Variables that the test declares, with their values. */
  readonly own: OwnValues;
  readonly test: ScriptTest;
  readonly edits: Edit[];
  readonly through: string;
  readonly note: string;
  readonly assertions: Assertion[];
  readonly firstSite: number;
  next(): number;
}

function rewrite(node: SyntaxNode, reading: Reading): void {
  const whole =
    node.type === "ExpressionStatement"
      ? node["expression"]
      : node.type === "ReturnStatement"
        ? node["argument"]
        : null;
  if (isNode(whole)) return rewriteExpression(whole, reading);
  const short =
    node.type === "ArrowFunctionExpression" && isNode(node["body"]) && node["body"].type !== "BlockStatement"
      ? node["body"]
      : null;
  if (short !== null && assertionIn(short, reading) !== null) return rewriteExpression(short, reading);
  const [literal] = isExpression(node) ? wholeAt(node) : [];
  if (literal !== undefined) return wrap(literal, reading);
  if (isLanguage(node)) return;
  for (const [field, value] of fieldsOf(node)) {
    if (skippedFields.has(field) && node["computed"] !== true) continue;
    for (const child of isNode(value) ? [value] : nodesIn(value)) rewrite(child, reading);
  }
}

const skippedFields: ReadonlySet<string> = new Set([
  "key",
  "property",
  "label",
  "typeAnnotation",
  "returnType",
  "typeParameters",
  "directives",
]);

function rewriteExpression(whole: SyntaxNode, reading: Reading): void {
  const found = assertionIn(whole, reading);
  if (found === null) {
    if (isLanguage(whole)) return;
    for (const [field, value] of fieldsOf(whole))
      if (!skippedFields.has(field) || whole["computed"] === true)
        for (const child of isNode(value) ? [value] : nodesIn(value)) rewrite(child, reading);
    return;
  }
  const { assertion, at } = found;
  const { actual, throws } = assertion;
  const [start, end] = placeOf(actual);
  const inner: Edit[] = [];
  const used = wholeLiterals(actual);
  for (const literal of used) wrap(literal, { ...reading, edits: inner });
  const isAsync = everyNode(actual).some(({ type }) => type === "AwaitExpression");
  const site = reading.firstSite + reading.assertions.length;
  const code = rewritten(reading.text, start, end, inner);
  const call = `${reading.note}(${site}, ${isAsync ? "async " : ""}() => (${code}), ${throws})`;
  const [from, to] = placeOf(at);
  reading.edits.push({ start: from, end: to, text: isAsync ? `await ${call}` : call });
  reading.assertions.push({
    site,
    test: reading.test.path.join("::"),
    subject: callsSomething(actual, reading.own) ? subjectOf(actual, reading.own) : "",
    inputs: inputsOf(actual, reading.own),
    expected: expectedOf(assertion, reading.own),
  });
}

function assertionIn(
  whole: SyntaxNode,
  { bindings }: Reading,
): { readonly assertion: ReadAssertion; readonly at: SyntaxNode } | null {
  const bare = withoutTypes(whole);
  const at = bare?.type === "AwaitExpression" ? withoutTypes(bare["argument"]) : bare;
  const assertion = at === null ? null : readAssertion(at, bindings);
  return at === null || assertion === null ? null : { assertion, at };
}

function wrap(
  { start, end }: Pick<FoundLiteral, "start" | "end">,
  { text, edits, through, next }: Reading,
): void {
  edits.push({ start, end, text: `${through}(${text.slice(start, end)}, ${next()})` });
}

/** The literal that this node is. */
function wholeAt(node: SyntaxNode): readonly FoundLiteral[] {
  if (valueText(node) === null || node.type === "Identifier") return [];
  return wholeLiterals(node).slice(0, 1);
}

function isExpression({ type }: SyntaxNode): boolean {
  return /Expression$|Literal$/.test(type);
}

function rewritten(text: string, start: number, end: number, edits: readonly Edit[]): string {
  const own = edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  return applyEdits(text.slice(start, end), own);
}

function placeOf(node: SyntaxNode): readonly [number, number] {
  return [Number(node["start"]), Number(node["end"])];
}

function expectedOf({ expected }: ReadAssertion, own: OwnValues): string | null {
  if (expected === null) return null;
  return valueText(own.get(wordOf(expected) ?? "") ?? expected)?.text ?? null;
}
