/** Finds the tests of a JavaScript or TypeScript file that cannot fail by their assertions; see weak-test.ts. */
import { chainOf, methodOf } from "../flip/script-assertions.ts";
import { bindingsOf, type Bindings } from "../flip/script-bindings.ts";
import { testCall } from "../flip/script-tests.ts";
import { everyNode, isNode, lineOf, nodesIn, wordOf, type Parse, type SyntaxNode } from "../syntax.ts";
import type { TextFile } from "../test-marks-javascript.ts";
import { placeWeakness } from "./script-places.ts";
import { valueWeakness, type Assertion, type Values } from "./script-values.ts";
import { able, weakTest, type Judged, type WeakTest } from "./weak-test.ts";

/** @param isSource whether an import, as written, leads to source; other files beside the test may hold assertions */
export function weakScriptTests(
  parse: Parse,
  file: TextFile,
  isSource: (from: string) => boolean,
): readonly WeakTest[] {
  const program = parse(file.path, file.text);
  if (program === null) return [];
  const facts = scriptFacts(program, isSource);
  return facts.nodes.flatMap((node) => {
    const call = testCall(node);
    if (call === null || call.isSuite || call.body === null || call.title === null) return [];
    const weak = weakTest(call.title, judgedIn(call.body, call.title, facts));
    return weak === null ? [] : [weak];
  });
}

/** What the file's names mean. */
export function scriptFacts(program: SyntaxNode, isSource: (from: string) => boolean): ScriptFacts {
  const bindings = bindingsOf(program);
  const nodes = everyNode(program);
  return { bindings, helpers: helpersOf(nodes, bindings, isSource), program, nodes };
}

export interface ScriptFacts {
  readonly bindings: Bindings;
  /** Names of functions that may assert. */
  readonly helpers: ReadonlySet<string>;
  readonly program: SyntaxNode;
  readonly nodes: readonly SyntaxNode[];
}

/** An assertion of a test, or a call that may assert. */
export interface FoundAssertion {
  readonly node: SyntaxNode;
  /** From the test's function to the parent of the assertion. */
  readonly around: readonly SyntaxNode[];
  readonly assertion: Assertion | "unknown";
}

export function assertionsIn(test: SyntaxNode, facts: ScriptFacts): readonly FoundAssertion[] {
  const found: FoundAssertion[] = [];
  const visit = (node: SyntaxNode, around: readonly SyntaxNode[]) => {
    const isInner = node !== test && testCall(node)?.isSuite === false;
    const assertion = isInner
      ? "unknown"
      : (bareExpect(node, around.at(-1), facts) ?? assertionAt(node, facts));
    if (assertion !== null) found.push({ node, around, assertion });
    if (isInner || (assertion !== null && assertion !== "unknown")) return;
    for (const value of Object.values(node))
      for (const child of isNode(value) ? [value] : nodesIn(value)) visit(child, [...around, node]);
  };
  visit(test, []);
  return found;
}

function judgedIn(test: SyntaxNode, title: string, facts: ScriptFacts): readonly Judged[] {
  const values: Values = { title, test, nodes: facts.nodes };
  return assertionsIn(test, facts).map(({ node, around, assertion }) =>
    assertion === "unknown" ? able : judge(node, assertion, { around, values, facts }),
  );
}

interface Place {
  /** From the test's function to the parent of the assertion. */
  readonly around: readonly SyntaxNode[];
  readonly values: Values;
  readonly facts: ScriptFacts;
}

function judge(node: SyntaxNode, assertion: Assertion, { around, values, facts }: Place): Judged {
  const found =
    placeWeakness({
      node,
      around,
      isLater: assertion.isLater,
      nodes: facts.nodes,
      asserts: assertsIn(facts),
    }) ?? valueWeakness(assertion, values);
  return found === null ? able : { isAble: false, line: lineOf(node), ...found };
}

/** `expect(value);` as a whole statement. */
function bareExpect(
  node: SyntaxNode,
  parent: SyntaxNode | undefined,
  { bindings }: ScriptFacts,
): Assertion | null {
  const [actual] = nodesIn(node["arguments"]);
  const name = node.type === "CallExpression" ? wordOf(node["callee"]) : null;
  if (parent?.type !== "ExpressionStatement" || name === null || actual === undefined) return null;
  if (bindings(name)?.kind !== "expect") return null;
  return { chain: { of: name, callee: [], words: [], actual, args: null }, method: null, isLater: false };
}

const later: ReadonlySet<string> = new Set(["resolves", "rejects", "eventually"]);

/** The whole chain of an assertion; "unknown" for a call that may assert in another way. */
function assertionAt(node: SyntaxNode, { bindings, helpers }: ScriptFacts): Assertion | "unknown" | null {
  if (node.type === "ThrowStatement") return "unknown";
  if (node.type !== "CallExpression" && node.type !== "MemberExpression") return null;
  const chain = chainOf(node);
  if (chain === null) return node.type === "CallExpression" ? unknownCall(node, helpers) : null;
  const { of, callee, words } = chain;
  if (of === "should" || (of !== null && bindings(of)?.kind === "expect")) {
    const isKnown = !words.some((word) => unknownWords.has(word));
    return isKnown ? { chain, method: null, isLater: words.some((word) => later.has(word)) } : "unknown";
  }
  const method = of === null ? methodOf(callee, bindings) : null;
  if (method === null) return unknownCall(node, helpers);
  if (/^(?:fail|ifError|plan)$/.test(method)) return "unknown";
  return { chain, method, isLater: /^(?:rejects|doesNotReject)$/.test(method) };
}

/** Words of chains that count or collect assertions, or need another reader. */
const unknownWords: ReadonlySet<string> = new Set([
  "extend",
  "notify",
  "poll",
  "element",
  "assertions",
  "hasAssertions",
  "fail",
]);

const assertingName = /^(?:assert|expect|verify|should|ensure|must|fail|check|validate|plan)(?![a-z])/;

function unknownCall(node: SyntaxNode, helpers: ReadonlySet<string>): "unknown" | null {
  const names: string[] = [];
  let at: unknown = node["callee"];
  while (isNode(at) && at.type === "MemberExpression") {
    names.push(wordOf(at["property"]) ?? "");
    at = at["object"];
  }
  const root = wordOf(at) ?? "";
  const isKnown = [...names, root].some((name) => assertingName.test(name));
  return isKnown || helpers.has(root) ? "unknown" : null;
}

/** Functions of the file that assert, and names from files that are not source. */
function helpersOf(
  nodes: readonly SyntaxNode[],
  bindings: Bindings,
  isSource: (from: string) => boolean,
): ReadonlySet<string> {
  const helpers = new Set<string>();
  for (const node of nodes) {
    if (node.type === "ImportDeclaration") {
      const from = String(isNode(node["source"]) ? node["source"]["value"] : "");
      if (from.startsWith(".") && !isSource(from))
        for (const one of nodesIn(node["specifiers"])) helpers.add(wordOf(one["local"]) ?? "");
    }
    const name =
      node.type === "FunctionDeclaration" || node.type === "VariableDeclarator" ? wordOf(node["id"]) : null;
    const code = node.type === "VariableDeclarator" ? node["init"] : node;
    if (name === null || !isNode(code)) continue;
    if (isRequired(code, isSource)) helpers.add(name);
    if (!/Function/.test(code.type)) continue;
    const facts = { bindings, helpers: new Set<string>() };
    if (everyNode(code).some((one) => assertionAt(one, { ...facts, program: code, nodes }) !== null))
      helpers.add(name);
  }
  return helpers;
}

function isRequired(code: SyntaxNode, isSource: (from: string) => boolean): boolean {
  const [from] = nodesIn(code["arguments"]);
  const path = wordOf(from) ?? "";
  return wordOf(code["callee"]) === "require" && path.startsWith(".") && !isSource(path);
}

/** Whether code asserts, throws, or calls what may assert. */
function assertsIn(facts: ScriptFacts): (code: SyntaxNode) => boolean {
  return (code) => everyNode(code).some((node) => assertionAt(node, facts) !== null);
}
