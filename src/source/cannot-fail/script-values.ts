/** Assertions of a script that hold whatever value the unit returns: with itself, with its own answer, or for its type alone. */
import { everyNode, isNode, nodesIn, withoutPositions, wordOf, type SyntaxNode } from "../syntax.ts";
import { withoutTypes } from "../flip/script-literals.ts";
import { symmetric, type Chain } from "../flip/script-assertions.ts";
import { ofCloseness, ofDistance } from "./script-tolerance.ts";
import type { Weakness } from "./weak-test.ts";

export interface Assertion {
  readonly chain: Chain;
  /** The method of an assert module; null for `expect` and `should`. */
  readonly method: string | null;
  /** Its result is a promise. */
  readonly isLater: boolean;
}

export interface Values {
  readonly title: string;
  /** The function of the test. */
  readonly test: SyntaxNode;
  /** All nodes of the file. */
  readonly nodes: readonly SyntaxNode[];
}

interface Found {
  readonly why: Weakness;
  readonly isCertain: boolean;
}

export function valueWeakness({ chain, method }: Assertion, values: Values): Found | null {
  const { words, args } = chain;
  if (method !== null) return ofMethod(method, args ?? [], values);
  const { actual } = chain;
  if (actual === null) return null;
  const last = words.at(-1) ?? "";
  const isNegated = words.includes("not");
  if (args === null && (words.length === 0 || /^to[A-Z]/.test(last) || last === "not"))
    return { why: "not executed", isCertain: true }; // a matcher that is not called
  const [expected] = args ?? [];
  if (!isNegated && equalities.has(last) && expected !== undefined) return ofPair(actual, expected, values);
  if (!isNegated && closeness.test(last)) return ofCloseness(last, args ?? []);
  if (/^(?:a|an)$/.test(last)) return ofType(actual, expected, values);
  if (/^(?:toBeInstanceOf|instanceof|instanceOf)$/.test(last)) return ofType(actual, expected, values);
  if (/^(?:toBeTruthy|ok|isTrue|true)$/.test(last) && !isNegated)
    return ofCondition(actual, values, last !== "toBeTruthy" && last !== "ok");
  const isPresent = isNegated
    ? /^(?:toBeUndefined|toBeNull|undefined|null)$/.test(last)
    : /^(?:toBeDefined|exist|exists)$/.test(last);
  return isPresent ? presence(actual, values) : null;
}

const equalities: ReadonlySet<string> = new Set([
  ...symmetric,
  "strictEqual",
  "deepEqual",
  "deepStrictEqual",
]);

const closeness = /^(?:toBeCloseTo|closeTo|approximately)$/;

function ofMethod(method: string, args: readonly SyntaxNode[], values: Values): Found | null {
  const [actual, expected] = args;
  if (actual === undefined) return null;
  if (closeness.test(method)) return ofCloseness(method, args.slice(1));
  if (equalities.has(method)) return expected === undefined ? null : ofPair(actual, expected, values);
  if (/^(?:notEqual|notStrictEqual)$/.test(method))
    return isNothing(expected) ? presence(actual, values) : null;
  if (/^(?:exists|isDefined|isNotNull)$/.test(method)) return presence(actual, values);
  if (method === "typeOf") return ofType(actual, expected, values);
  if (/^is(?:Number|String|Object|Array|Boolean)$/.test(method)) return typeOnly(actual, values);
  if (/^(?:instanceOf)$/.test(method)) return ofType(actual, expected, values);
  return /^(?:ok|isOk|isTrue)$/.test(method) ? ofCondition(actual, values, false) : null;
}

/** An equality of two expressions. */
function ofPair(actual: SyntaxNode, expected: SyntaxNode, values: Values): Found | null {
  const inner = withoutTypes(actual) ?? actual;
  if (isText(expected) && inner.type === "UnaryExpression" && inner["operator"] === "typeof")
    return isNode(inner["argument"]) ? ofType(inner["argument"], expected, values) : null;
  if (isTrue(expected)) {
    const condition = ofCondition(inner, values, true);
    if (condition !== null) return condition;
  }
  if (isAnything(expected)) return typeOnly(inner, values);
  return sameValue(inner, withoutTypes(expected) ?? expected, values);
}

/** `x === x`, `typeof x === "number"`, `x instanceof Object`, `Array.isArray(x)`, or a bare value. */
function ofCondition(given: SyntaxNode, values: Values, isStrict: boolean): Found | null {
  const condition = withoutTypes(given) ?? given;
  const { left, right, operator } = condition;
  if (condition.type === "BinaryExpression" && isNode(left) && isNode(right)) {
    if (operator === "instanceof") return ofType(left, right, values);
    if (operator === "==" || operator === "===") return ofPair(left, right, values);
    if (/^!==?$/.test(String(operator))) return isNothing(right) ? presence(left, values) : null;
    return ofDistance(condition);
  }
  if (condition.type === "CallExpression" && isTypeCheck(condition["callee"])) {
    const [checked] = nodesIn(condition["arguments"]);
    return checked === undefined ? null : typeOnly(checked, values);
  }
  if (isTrue(condition)) return constants(values);
  return isStrict ? null : truth(condition, values);
}

/** Beside calls that must not throw, an assertion on constants may only mark the end. */
function constants({ test }: Values): Found {
  const calls = everyNode(test).filter(({ type }) => /^(?:Call|New)Expression$/.test(type));
  const isAlone = calls.every((call) => /^(?:expect|assert|should|t)$/.test(rootName(call)));
  return { why: "constants", isCertain: isAlone };
}

/** `expect` of `expect(1).to.equal(1)`. */
function rootName(call: SyntaxNode): string {
  let at: unknown = call;
  while (isNode(at) && at.type !== "Identifier") at = at["callee"] ?? at["object"];
  return wordOf(at) ?? "";
}

function isTypeCheck(callee: unknown): boolean {
  if (!isNode(callee) || callee.type !== "MemberExpression") return false;
  return /^(?:Array\.isArray|Number\.is(?:Integer|Finite|SafeInteger))$/.test(
    `${wordOf(callee["object"]) ?? ""}.${wordOf(callee["property"]) ?? ""}`,
  );
}

/** A bare value that may be true or false is a good assertion; whether it is one, only an execution shows. */
function truth(condition: SyntaxNode, values: Values): Found | null {
  const value = resolved(condition, values);
  return value !== null && !isPredicate(value) && !isExpectedMissing(value, values)
    ? { why: "types", isCertain: false }
    : null;
}

/** A type says nothing about the answer of a call; of another value it may be the interface. */
function typeOnly(actual: SyntaxNode, values: Values): Found {
  return { why: "types", isCertain: isAnswer(resolved(actual, values)) };
}

/** The type as text, or a type of the language that is no error. A function or promise has a behaviour of its own. */
function ofType(actual: SyntaxNode, type: SyntaxNode | undefined, values: Values): Found | null {
  const name = wordOf(type) ?? "";
  if (type?.type !== "StringLiteral" && !plainTypes.test(name)) return null;
  const { why, isCertain } = typeOnly(actual, values);
  return { why, isCertain: isCertain && !/^(?:function|Function|Promise)$/.test(name) };
}

const plainTypes =
  /^(?:Object|Array|Number|String|Boolean|Function|Promise|Map|Set|Date|RegExp|Symbol|BigInt)$/;

/** A query that finds something is a good assertion; so is a value that another test expects to be missing. */
function presence(actual: SyntaxNode, values: Values): Found | null {
  const value = resolved(actual, values);
  if (value !== null && isExpectedMissing(value, values)) return null;
  return { why: "types", isCertain: isAnswer(value) };
}

/** A call whose type is known; a query may find nothing, and a constructor gives an object or throws. */
function isAnswer(value: SyntaxNode | null): boolean {
  return value?.type === "CallExpression" && !isPredicate(value);
}

/** The call that made a value; null for other values. */
function resolved(given: SyntaxNode, values: Values): SyntaxNode | null {
  const plain = withoutTypes(given) ?? given;
  const node = plain.type === "AwaitExpression" && isNode(plain["argument"]) ? plain["argument"] : plain;
  if (node.type === "CallExpression" || node.type === "NewExpression") return node;
  const name = node.type === "Identifier" ? wordOf(node) : null;
  const own = everyNode(values.test).filter(
    (one) => one.type === "VariableDeclarator" && wordOf(one["id"]) === name,
  );
  const [declared] = own;
  if (name === null || own.length !== 1 || !isNode(declared?.["init"])) return null;
  return resolved(declared["init"], { ...values, test: declared["init"] });
}

const predicate =
  /^(?:is|has|have|can|should|contains?|includes?|matches|exists?|get|find|query|lookup|search|select|resolve|locate|pick|first|last|peek|pop|next|read|load|fetch|match|exec|closest|at)(?![a-z])/;

function isPredicate(call: SyntaxNode): boolean {
  const { callee } = call;
  const name =
    isNode(callee) && callee.type === "MemberExpression" ? wordOf(callee["property"]) : wordOf(callee);
  return call.type === "CallExpression" && predicate.test(name ?? "get");
}

/** Whether an assertion of the file expects nothing, or false, of the same function. */
function isExpectedMissing({ callee }: SyntaxNode, { nodes }: Values): boolean {
  const code = JSON.stringify(withoutPositions(callee));
  const isSame = (node: SyntaxNode) => JSON.stringify(withoutPositions(node["callee"])) === code;
  return nodes.some((node) => {
    const isMissing =
      node.type === "UnaryExpression"
        ? node["operator"] === "!"
        : node.type === "CallExpression" &&
          !isNegated(node) &&
          (/^(?:toBeUndefined|toBeNull|toBeFalsy|undefined|null|isUndefined|isNull|isFalse|isNotOk)$/.test(
            calledName(node),
          ) ||
            (!calledName(node).startsWith("not") &&
              nodesIn(node["arguments"]).some((one) => isNothing(one) || isFalse(one))));
    return isMissing && everyNode(node).some(isSame);
  });
}

function isNegated({ callee }: SyntaxNode): boolean {
  let at = callee;
  while (isNode(at) && at.type === "MemberExpression") {
    if (wordOf(at["property"]) === "not") return true;
    at = at["object"];
  }
  return false;
}

function calledName({ callee }: SyntaxNode): string {
  return (
    (isNode(callee) && callee.type === "MemberExpression" ? wordOf(callee["property"]) : wordOf(callee)) ?? ""
  );
}

function sameValue(actual: SyntaxNode, expected: SyntaxNode, values: Values): Found | null {
  const [one, other] = [substituted(actual, values), substituted(expected, values)];
  if (one === null || other === null || one !== other) return null;
  if (isConstant(actual)) return constants(values);
  const calls = everyNode(actual)
    .concat(everyNode(expected))
    .filter(({ type }) => /^(?:Call|New)Expression$/.test(type));
  // Reading a member may compute it.
  if (calls.length === 0) return { why: "same value", isCertain: actual.type === "Identifier" };
  const isMeant =
    /sing?leton|\bsame\b|cach|memo|instance|identi|determin|stable|idempot|\bpure\b|consisten|reference|\bonce\b|repeat|twice|again|equal|reproduc|clone|immutab|mutat/i.test(
      values.title,
    );
  const isPlain = calls.every(
    (call) => call.type === "CallExpression" && nodesIn(call["arguments"]).length > 0,
  );
  return { why: "own answer", isCertain: isPlain && !isMeant };
}

/** The code of a value, with the constant that holds it; null where something may change it in between. */
function substituted(node: SyntaxNode, { test }: Values): string | null {
  const plain = node.type === "AwaitExpression" && isNode(node["argument"]) ? node["argument"] : node;
  const name = plain.type === "Identifier" ? wordOf(plain) : null;
  const body = test["body"];
  const statements = isNode(body) ? nodesIn(body["body"]) : [];
  const declared = statements
    .filter(({ type, kind }) => type === "VariableDeclaration" && kind === "const")
    .flatMap((statement) => nodesIn(statement["declarations"]))
    .find((one) => wordOf(one["id"]) === name);
  const init = isNode(declared?.["init"]) ? declared["init"] : null;
  const value = init?.type === "AwaitExpression" && isNode(init["argument"]) ? init["argument"] : init;
  if (name === null || value === null || value.type !== "CallExpression")
    return JSON.stringify(withoutPositions(plain));
  // Another call may change what the function returns: then the test compares before and after.
  const others = statements.filter(({ type }) => type !== "VariableDeclaration").length;
  return others > 1 || wordOf(value["callee"]) === null ? null : JSON.stringify(withoutPositions(value));
}

/** Literals alone, without any name. */
function isConstant(node: SyntaxNode): boolean {
  return everyNode(node).every(
    ({ type, name }) =>
      /Literal$|^(?:ArrayExpression|ObjectExpression|ObjectProperty|BinaryExpression|UnaryExpression|TemplateElement)$/.test(
        type,
      ) ||
      (type === "Identifier" && /^(?:undefined|NaN|Infinity)$/.test(String(name))),
  );
}

function isText(node: SyntaxNode | undefined): boolean {
  return node?.type === "StringLiteral";
}

function isTrue(node: SyntaxNode): boolean {
  return node.type === "BooleanLiteral" && node["value"] === true;
}

function isFalse(node: SyntaxNode): boolean {
  return node.type === "BooleanLiteral" && node["value"] === false;
}

function isNothing(node: SyntaxNode | undefined): boolean {
  return node?.type === "NullLiteral" || wordOf(node) === "undefined";
}

/** `expect.anything()` and `expect.any(Number)`. */
function isAnything(node: SyntaxNode): boolean {
  const callee = node.type === "CallExpression" ? node["callee"] : null;
  return (
    isNode(callee) &&
    callee.type === "MemberExpression" &&
    wordOf(callee["object"]) === "expect" &&
    /^any(?:thing)?$/.test(wordOf(callee["property"]) ?? "")
  );
}
