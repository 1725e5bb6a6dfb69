/** Places of a script at which an assertion is not executed, or its failure is lost. */
import { everyNode, isNode, nodesIn, wordOf, type SyntaxNode } from "../syntax.ts";
import type { Weakness } from "./weak-test.ts";

export interface AssertionPlace {
  readonly node: SyntaxNode;
  /** From the test's function to the parent of the assertion. */
  readonly around: readonly SyntaxNode[];
  /** The assertion gives a promise. */
  readonly isLater: boolean;
  /** All nodes of the file. */
  readonly nodes: readonly SyntaxNode[];
  /** Whether code asserts or throws. */
  asserts(code: SyntaxNode): boolean;
}

interface Found {
  readonly why: Weakness;
  readonly isCertain: boolean;
  readonly isMistake?: boolean;
}

export function placeWeakness(place: AssertionPlace): Found | null {
  const { around, node, isLater } = place;
  const parent = around.at(-1);
  if (isLater && isDropped(parent)) return { why: "not awaited", isCertain: true, isMistake: true };
  if (isUnreachable(place)) return { why: "not executed", isCertain: true };
  for (const [at, one] of around.entries()) {
    const child = around[at + 1] ?? node;
    if (one.type === "TryStatement" && one["block"] === child && isSwallowing(one["handler"], place))
      return { why: "swallowed", isCertain: true };
    if (isEmptyLoop(one, child, place)) return { why: "empty loop", isCertain: true };
    const lost = at === 0 ? null : lostCallback(one, around.slice(0, at), place);
    if (lost !== null) return lost;
  }
  return null;
}

/** A statement whose value nobody uses. */
function isDropped(parent: SyntaxNode | undefined): boolean {
  return (
    parent?.type === "ExpressionStatement" ||
    (parent?.type === "UnaryExpression" && parent["operator"] === "void")
  );
}

/** After a `return` or `throw` of the same block, or under a condition that is false. */
function isUnreachable({ around, node }: AssertionPlace): boolean {
  return around.some((one, at) => {
    const child = around[at + 1] ?? node;
    if (one.type === "BlockStatement") {
      const statements = nodesIn(one["body"]);
      const end = statements.findIndex(({ type }) => type === "ReturnStatement" || type === "ThrowStatement");
      return end !== -1 && statements.indexOf(child) > end;
    }
    const isGuarded =
      (/^(?:IfStatement|ConditionalExpression)$/.test(one.type) && one["consequent"] === child) ||
      (one.type === "WhileStatement" && one["body"] === child);
    if (isGuarded) return isFalse(one["test"]);
    return (
      one.type === "LogicalExpression" &&
      one["operator"] === "&&" &&
      one["right"] === child &&
      isFalse(one["left"])
    );
  });
}

function isFalse(test: unknown): boolean {
  if (!isNode(test)) return false;
  return (
    (test.type === "BooleanLiteral" && test["value"] === false) ||
    (test.type === "NumericLiteral" && test["value"] === 0) ||
    test.type === "NullLiteral"
  );
}

/** A `catch` that neither throws, asserts nor uses what it caught, outside of a loop that tries again. */
function isSwallowing(handler: unknown, { around, asserts }: AssertionPlace): boolean {
  if (!isNode(handler) || !isNode(handler["body"])) return false;
  if (around.some(({ type }) => /^(?:For|While|DoWhile)/.test(type))) return false;
  return losesError(handler["param"], handler["body"], asserts);
}

/** Printing the error loses it too. */
function losesError(param: unknown, body: SyntaxNode, asserts: AssertionPlace["asserts"]): boolean {
  if (asserts(body)) return false;
  const name = wordOf(param);
  if (isNode(param) && name === null) return false;
  return everyNode(body).every((node) => {
    if (/^(?:AssignmentExpression|UpdateExpression|ReturnStatement|AwaitExpression)$/.test(node.type))
      return node.type === "ReturnStatement" && node["argument"] == null;
    if (node.type !== "CallExpression") return true;
    const callee = node["callee"];
    return isNode(callee) && callee.type === "MemberExpression" && wordOf(callee["object"]) === "console";
  });
}

/** Loops over a literal without elements, or over a variable that never gets one. */
function isEmptyLoop(loop: SyntaxNode, child: SyntaxNode, { nodes }: AssertionPlace): boolean {
  if (/^For(?:Of|In)Statement$/.test(loop.type))
    return loop["body"] === child && isEmpty(loop["right"], nodes);
  if (loop.type !== "CallExpression" || !nodesIn(loop["arguments"]).includes(child)) return false;
  const callee = loop["callee"];
  return (
    isNode(callee) &&
    callee.type === "MemberExpression" &&
    /^(?:forEach|map|flatMap|every|some|filter|reduce)$/.test(wordOf(callee["property"]) ?? "") &&
    isEmpty(callee["object"], nodes)
  );
}

function isEmpty(given: unknown, nodes: readonly SyntaxNode[]): boolean {
  if (!isNode(given)) return false;
  if (given.type === "ArrayExpression") return nodesIn(given["elements"]).length === 0;
  if (given.type === "ObjectExpression") return nodesIn(given["properties"]).length === 0;
  if (given.type === "StringLiteral") return given["value"] === "";
  if (given.type === "NewExpression")
    return (
      /^(?:Map|Set|Array)$/.test(wordOf(given["callee"]) ?? "") && nodesIn(given["arguments"]).length === 0
    );
  if (given.type === "CallExpression") {
    const callee = given["callee"];
    const isOfObject = isNode(callee) && wordOf(callee["object"]) === "Object";
    return (
      isOfObject && nodesIn(given["arguments"]).length === 1 && isEmpty(nodesIn(given["arguments"])[0], nodes)
    );
  }
  if (given.type !== "Identifier") return false;
  const name = String(given["name"]);
  const uses = nodes.filter((node) => node.type === "Identifier" && node["name"] === name);
  const declared = nodes.find((node) => node.type === "VariableDeclarator" && wordOf(node["id"]) === name);
  return uses.length === 2 && declared !== undefined && isEmpty(declared["init"], nodes);
}

const isFunction = (node: SyntaxNode) =>
  /^(?:ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/.test(node.type);

/** A function that nothing calls, or a callback of a promise or timer that the test does not wait for. */
function lostCallback(one: SyntaxNode, outside: readonly SyntaxNode[], place: AssertionPlace): Found | null {
  if (!isFunction(one)) return null;
  const parent = outside.at(-1);
  const declares =
    one.type === "FunctionDeclaration" ? one : parent?.type === "VariableDeclarator" ? parent : null;
  const name = wordOf(declares?.["id"]);
  if (name !== null) {
    const uses = place.nodes.filter((node) => node.type === "Identifier" && node["name"] === name);
    return uses.length === 1 ? { why: "not executed", isCertain: true } : null;
  }
  if (parent?.type !== "CallExpression") return null;
  return lostPromise(parent, outside, place);
}

/** `promise.then(…)` without `await`, or with a `catch` that loses the failure. */
function lostPromise(call: SyntaxNode, outside: readonly SyntaxNode[], place: AssertionPlace): Found | null {
  const { words, top } = promiseChain(call, outside);
  const callee = call["callee"];
  const method =
    isNode(callee) && callee.type === "MemberExpression" ? (wordOf(callee["property"]) ?? "") : "";
  const timer =
    isNode(callee) && /^(?:setTimeout|setImmediate|queueMicrotask|setInterval)$/.test(wordOf(callee) ?? "");
  if (
    /^(?:then|finally)$/.test(method) &&
    words.some(({ name, handler }) => name === "catch" && isLosing(handler, place))
  )
    return { why: "swallowed", isCertain: true };
  if (!timer && !/^(?:then|catch|finally)$/.test(method)) return null;
  if (!isDropped(outside[outside.indexOf(top) - 1])) return null;
  const [test] = place.around;
  if (test === undefined || waitsElsewhere(test, top)) return null;
  return { why: "not awaited", isCertain: true };
}

function isLosing(handler: SyntaxNode | undefined, { asserts }: AssertionPlace): boolean {
  if (handler === undefined || !isFunction(handler) || !isNode(handler["body"])) return false;
  const [param] = nodesIn(handler["params"]);
  return losesError(param, handler["body"], asserts);
}

/** The calls after one in its chain, and the whole chain. */
function promiseChain(call: SyntaxNode, outside: readonly SyntaxNode[]) {
  const words: { readonly name: string; readonly handler: SyntaxNode | undefined }[] = [];
  let top = call;
  for (const node of outside.slice(0, -1).toReversed()) {
    if (node.type === "MemberExpression" && node["object"] === top) {
      words.push({ name: wordOf(node["property"]) ?? "", handler: undefined });
      top = node;
    } else if (node.type === "CallExpression" && node["callee"] === top) {
      const last = words.pop();
      words.push({ name: last?.name ?? "", handler: nodesIn(node["arguments"])[0] });
      top = node;
    } else break;
  }
  return { words, top };
}

/** The test has a callback, awaits or returns something, or uses false timers: then the callback may run in time. */
function waitsElsewhere(test: SyntaxNode, call: SyntaxNode): boolean {
  if (nodesIn(test["params"]).length > 0) return true;
  return everyNode(test).some(
    (node) =>
      (/^(?:AwaitExpression|ReturnStatement)$/.test(node.type) &&
        Number(node["start"]) > Number(call["end"])) ||
      (node.type === "MemberExpression" && /Timer|tick|flush/i.test(wordOf(node["property"]) ?? "")),
  );
}
