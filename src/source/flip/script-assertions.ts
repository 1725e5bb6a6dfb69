/** Reads one statement as an assertion, and finds how to make it false. */
import { rangeOf, isNode, nodesIn, wordOf, type SyntaxNode } from "../syntax.ts";
import type { Edit } from "../text-edits.ts";
import type { Bindings } from "./script-bindings.ts";
import { leavesOf, withoutTypes, type Difference } from "./script-literals.ts";

/** One way to make an assertion false: change a literal of the expected value, or replace the actual value. */
export type Falsehood =
  | { readonly how: "literal"; readonly leaves: readonly SyntaxNode[]; readonly difference: Difference }
  | { readonly how: "actual"; readonly edits: readonly Edit[] };

/** What the names around an assertion mean. */
export interface Names {
  readonly bindings: Bindings;
  /** Variables of the test that one assertion alone uses, with their values. */
  readonly expected: ReadonlyMap<string, SyntaxNode>;
}

/** Null for a statement that is no assertion or cannot be made false with certainty. */
export function falsehoodOf(statement: SyntaxNode, names: Names): Falsehood | null {
  const whole = statement.type === "ExpressionStatement" ? statement["expression"] : statement["argument"];
  const isAwaited =
    statement.type === "ReturnStatement" || (isNode(whole) && whole.type === "AwaitExpression");
  return falsehoodOfExpression(whole, { ...names, isAwaited });
}

export function falsehoodOfExpression(
  given: unknown,
  { isAwaited, ...names }: Names & { readonly isAwaited: boolean },
): Falsehood | null {
  const bare = withoutTypes(given);
  const node = bare?.type === "AwaitExpression" ? withoutTypes(bare["argument"]) : bare;
  if (node === null) return null;
  const chain = chainOf(node);
  if (chain === null) return null;
  const { words, actual, args } = chain;
  if (chain.of === null) return fromAssert(chain, names);
  const asserter =
    chain.of === "should" ? ({ kind: "expect", chai: true } as const) : names.bindings(chain.of);
  if (asserter?.kind !== "expect" || words.some((word) => neverChanged.has(word))) return null;
  const isLater = words.some((word) => later.has(word));
  if (isLater && !isAwaited) return null;
  const last = words.at(-1) ?? "";
  const expected = args === null ? undefined : expectedIn.get(last);
  if (expected !== undefined && args !== null) {
    const found = expected.at.flatMap((at) => leavesAt(args[at], expected.difference, names));
    if (found.length > 0 && !isNegativeTolerance(expected.difference, args[1]))
      return { how: "literal", leaves: found, difference: expected.difference };
    const turned = symmetric.has(last) && actual !== null ? leavesAt(actual, "other", names) : [];
    if (turned.length > 0) return { how: "literal", leaves: turned, difference: "other" };
  }
  const isBare = args === null || args.length === 0;
  const replaced = isBare || last.startsWith("toThrow") ? replacement.get(last) : undefined;
  return replaced === undefined || actual === null || isLater ? null : replaceActual(actual, replaced);
}

/** Where the expected value of a matcher is, and how another one must differ. */
const expectedIn: ReadonlyMap<string, { readonly at: readonly number[]; readonly difference: Difference }> =
  new Map([
    ...entries(["toBe", "toEqual", "toStrictEqual", "toMatchObject", "toHaveLength"], [0], "other"),
    ...entries(["toHaveBeenCalledTimes", "toHaveReturnedTimes"], [0], "other"),
    ...entries(["equal", "equals", "eq", "eql", "eqls", "length", "lengthOf"], [0], "other"),
    ...entries(["toHaveProperty", "property"], [1], "other"),
    ...entries(["toBeCloseTo", "closeTo", "approximately"], [0], "far"),
    ...entries(["toContain", "toContainEqual", "toMatch", "toThrow", "toThrowError"], [0], "rare"),
    ...entries(["include", "includes", "contain", "contains", "match", "string", "members"], [0], "rare"),
    ...entries(["throw", "throws", "Throw"], [0, 1], "rare"),
    ...entries(["toHaveBeenCalledWith", "toHaveBeenLastCalledWith"], [0, 1, 2], "rare"),
  ]);

/** Matchers that compare two values, in either order. */
export const symmetric: ReadonlySet<string> = new Set([
  "toBe",
  "toEqual",
  "toStrictEqual",
  "equal",
  "equals",
  "eq",
  "eql",
  "eqls",
]);

/** Words of a chain whose meaning a changed value need not contradict. */
const neverChanged: ReadonlySet<string> = new Set(["not", "any", "poll", "element", "oneOf", "respectively"]);
const later: ReadonlySet<string> = new Set(["resolves", "rejects", "eventually"]);

/** The actual value that makes an assertion without expected value false; `$` is the code of the original value. */
const replacement: ReadonlyMap<string, string> = new Map([
  ...["toBeTruthy", "toBeFalsy", "true", "false", "ok", "isTrue", "isFalse", "isOk", "isNotOk"].map(
    (word) => [word, "!($)"] as const,
  ),
  ...[
    "toBeNull",
    "toBeUndefined",
    "toBeNaN",
    "null",
    "undefined",
    "NaN",
    "isNull",
    "isUndefined",
    "isNaN",
  ].map((word) => [word, "[$]"] as const),
  ["toBeDefined", "void ($)"],
  ["toThrow", "() => {}"],
  ["toThrowError", "() => {}"],
  ["throw", "() => {}"],
  ["throws", "() => {}"],
]);

function entries(words: readonly string[], at: readonly number[], difference: Difference) {
  return words.map((word) => [word, { at, difference }] as const);
}

function isNegativeTolerance(difference: Difference, given: unknown): boolean {
  const node = withoutTypes(given);
  return (
    difference === "far" &&
    node !== null &&
    (node.type === "UnaryExpression" || !node.type.startsWith("Numeric"))
  );
}

function replaceActual(actual: SyntaxNode, by: string): Falsehood {
  const { start, end } = rangeOf(actual);
  const at = by.indexOf("$");
  if (at === -1) return { how: "actual", edits: [{ start, end, text: by }] };
  return {
    how: "actual",
    edits: [
      { start, end: start, text: by.slice(0, at) },
      { start: end, end, text: by.slice(at + 1) },
    ],
  };
}

function leavesAt(given: unknown, difference: Difference, { expected }: Names): readonly SyntaxNode[] {
  const node = withoutTypes(given);
  // `new Error("message")`, compared by its message.
  if (
    node?.type === "NewExpression" &&
    difference === "rare" &&
    wordOf(node["callee"])?.endsWith("Error") === true
  ) {
    const [message] = nodesIn(node["arguments"]);
    return leavesOf(message, difference);
  }
  return leavesOf(
    node?.type === "Identifier" ? (expected.get(wordOf(node) ?? "") ?? node) : node,
    difference,
  );
}

/** The parts of a call that asserts something. */
export interface ReadAssertion {
  readonly actual: SyntaxNode;
  /** The argument to which the actual value is compared; null without one. */
  readonly expected: SyntaxNode | null;
  /** Whether the actual value is a function to call. */
  readonly throws: boolean;
}

/** Null for an expression that is no assertion. */
export function readAssertion(node: SyntaxNode, bindings: Bindings): ReadAssertion | null {
  const chain = chainOf(node);
  if (chain === null) return null;
  const { words, args } = chain;
  const last = words.at(-1) ?? "";
  if (chain.of !== null) {
    const isKnown = chain.of === "should" || bindings(chain.of)?.kind === "expect";
    if (!isKnown || chain.actual === null || words.length === 0) return null;
    return { actual: chain.actual, expected: args?.[0] ?? null, throws: /throw/i.test(last) };
  }
  const method = methodOf(chain.callee, bindings);
  const [first, second] = args ?? [];
  if (method === null || first === undefined || first.type === "SpreadElement") return null;
  const isTurned =
    second !== undefined && leavesOf(first, "other").length > 0 && leavesOf(second, "other").length === 0;
  return {
    actual: isTurned ? second : first,
    expected: (isTurned ? first : second) ?? null,
    throws: /^(?:throws|doesNotThrow)$/.test(method),
  };
}

export interface Chain {
  /** The function that begins the chain, `should` for `value.should`, null for calls of an assert module. */
  readonly of: string | null;
  /** The code of the callee's parts, for an assert module. */
  readonly callee: readonly string[];
  readonly words: readonly string[];
  readonly actual: SyntaxNode | null;
  /** Null where the chain does not end with a call. */
  readonly args: readonly SyntaxNode[] | null;
}

/** `expect(actual).to.equal(args)`, `actual.should.equal(args)` or `assert.equal(args)`. */
export function chainOf(node: SyntaxNode): Chain | null {
  const isCall = node.type === "CallExpression";
  const args = isCall ? nodesIn(node["arguments"]) : null;
  const words: string[] = [];
  let at: unknown = isCall ? node["callee"] : node;
  while (isNode(at) && at.type === "MemberExpression" && at["computed"] !== true) {
    const word = wordOf(at["property"]) ?? "";
    if (word === "should" && isNode(at["object"]))
      return { of: "should", callee: [], words, actual: at["object"], args };
    words.unshift(word);
    at = at["object"];
  }
  if (!isNode(at)) return null;
  if (at.type === "CallExpression") {
    const name = expectName(at["callee"]);
    const [actual] = nodesIn(at["arguments"]);
    return name === null || actual?.type === "SpreadElement"
      ? null
      : { of: name, callee: [], words, actual: actual ?? null, args };
  }
  const name = wordOf(at);
  return name === null || args === null
    ? null
    : { of: null, callee: [name, ...words], words, actual: null, args };
}

/** `expect` of `expect(x)` and `expect.soft(x)`. */
function expectName(callee: unknown): string | null {
  if (!isNode(callee)) return null;
  if (callee.type === "MemberExpression")
    return wordOf(callee["property"]) === "soft" ? wordOf(callee["object"]) : null;
  return callee.type === "Identifier" ? wordOf(callee) : null;
}

/** Where a method of an assert module has its expected value; `pair` for either of the first two arguments. */
const assertMethods: ReadonlyMap<
  string,
  { readonly at: number | "pair" | "actual"; readonly difference: Difference }
> = new Map([
  ...methods(["equal", "strictEqual", "deepEqual", "deepStrictEqual"], "pair", "other"),
  ...methods(["closeTo", "approximately"], 1, "far"),
  ...methods(["lengthOf"], 1, "other"),
  ...methods(["include", "includes", "match", "typeOf", "sameMembers", "sameDeepMembers"], 1, "rare"),
  ...methods(["propertyVal"], 2, "other"),
  ...methods(
    [...replacement.keys()].filter((word) => /^(?:ok|is[A-Z]\w+|throws?)$/.test(word)),
    "actual",
    "other",
  ),
]);

function methods(words: readonly string[], at: number | "pair" | "actual", difference: Difference) {
  return words.map((word) => [word, { at, difference }] as const);
}

function fromAssert({ callee, args }: Chain, names: Names): Falsehood | null {
  const method = methodOf(callee, names.bindings);
  const known = method === null ? undefined : assertMethods.get(method);
  if (method === null || known === undefined || args === null) return null;
  if (args.some(({ type }) => type === "SpreadElement")) return null;
  const { at, difference } = known;
  const literals = (index: number) => leavesAt(args[index], difference, names);
  if (at === "actual") {
    const [actual] = args;
    return actual === undefined ? null : replaceActual(actual, replacement.get(method) ?? "!($)");
  }
  const second = literals(at === "pair" ? 1 : at);
  const leaves = at === "pair" && second.length === 0 ? literals(0) : second;
  return leaves.length === 0 ? null : { how: "literal", leaves, difference };
}

/** The method's name without the module: `equal` for `assert.strict.equal`, `ok` for `assert(x)`. */
export function methodOf(callee: readonly string[], bindings: Bindings): string | null {
  const [first = "", ...rest] = callee;
  const inContext = /^(?:t|ctx|context)$/.test(first) && rest[0] === "assert";
  const asserter = inContext ? ({ kind: "assert" } as const) : bindings(first);
  if (asserter?.kind === "method") return rest.length === 0 ? asserter.name : null;
  if (asserter?.kind !== "assert") return null;
  const words = rest.filter((word) => word !== "strict" && !(inContext && word === "assert"));
  return words.length > 1 ? null : (words[0] ?? "ok");
}
