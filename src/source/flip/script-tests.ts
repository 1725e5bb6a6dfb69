/** Finds the tests of a script whose names and places in the file are certain. */
import { isNode, lineOf, nodesIn, wordOf, type SyntaxNode } from "../syntax.ts";
import { plainTemplate, withoutTypes } from "./script-literals.ts";

export interface ScriptTest {
  /** Suites and title. */
  readonly path: readonly string[];
  readonly line: number;
  /** The function that is the test. */
  readonly body: SyntaxNode;
}

export interface ScriptTests {
  readonly tests: readonly ScriptTest[];
  /** Titles, or code of titles, of the tests that have no certain name: in loops, in tables, with expressions in titles. */
  readonly unclear: readonly string[];
  /** The function that defines tests, as the file calls it; null where it defines none. */
  readonly caller: string | null;
}

const suiteNames = /^(?:describe|suite|context)$/;
const testNames = /^(?:test|it|specify)$/;
const plainMembers = /^(?:concurrent|sequential|serial|only|parallel|shuffle)$/;

export function scriptTests(program: SyntaxNode): ScriptTests {
  const found: Found = { tests: [], unclear: [], caller: null };
  visit(program, [], found);
  return found;
}

interface Found {
  readonly tests: ScriptTest[];
  readonly unclear: string[];
  caller: string | null;
}

/** @param path null where the names around are uncertain, or the code may run several times or never */
function visit(node: SyntaxNode, path: readonly string[] | null, found: Found): void {
  const call = testCall(node);
  if (call === null) {
    const isPlain = path !== null && plainPlaces.has(node.type);
    for (const value of Object.values(node))
      for (const child of isNode(value) ? [value] : nodesIn(value))
        visit(child, isPlain ? path : null, found);
    return;
  }
  const { title, body, isSuite, isPlain, caller } = call;
  if (isSuite) {
    if (body !== null && isNode(body["body"]))
      visit(body["body"], path !== null && isPlain && title !== null ? [...path, title] : null, found);
    return;
  }
  found.caller ??= caller;
  const inner: Found = { tests: [], unclear: [], caller };
  const own = path !== null && isPlain && title !== null ? [...path, title] : null;
  if (body !== null && isNode(body["body"])) visit(body["body"], own, inner);
  const hasInner = inner.tests.length + inner.unclear.length > 0;
  found.tests.push(...inner.tests);
  found.unclear.push(...inner.unclear);
  // A test with tests inside fails with them.
  if (own === null || body === null || hasInner) found.unclear.push(title ?? "a test");
  else found.tests.push({ path: own, line: lineOf(node), body });
}

/** Places whose code runs once, in the order of the file. */
const plainPlaces: ReadonlySet<string> = new Set([
  "Program",
  "ExpressionStatement",
  "BlockStatement",
  "AwaitExpression",
  "IfStatement",
  "UnaryExpression",
]);

export interface TestCall {
  /** Null for a title with expressions. */
  readonly title: string | null;
  /** Null without a function. */
  readonly body: SyntaxNode | null;
  readonly isSuite: boolean;
  /** Whether it runs once, and must pass. */
  readonly isPlain: boolean;
  /** The called function; null for a method. */
  readonly caller: string | null;
}

export function testCall(node: SyntaxNode): TestCall | null {
  if (node.type !== "CallExpression") return null;
  const { name, members, isMethod } = nameOf(node["callee"]);
  const isSuite = suiteNames.test(name);
  if (!isSuite && !testNames.test(name)) return null;
  const args = nodesIn(node["arguments"]);
  const body = args.find(({ type }) => /^(?:ArrowFunctionExpression|FunctionExpression)$/.test(type)) ?? null;
  if (body === null && members.includes("each") && args.length > 0 && !isText(args[0])) return null;
  const options = args
    .filter(({ type }) => type === "ObjectExpression")
    .flatMap((one) => nodesIn(one["properties"]));
  const isPlain =
    members.every((member) => plainMembers.test(member)) &&
    options.every(
      (option) => !/^(?:fails|failing|expectFailure|skip|todo)$/.test(wordOf(option["key"]) ?? "..."),
    );
  return { title: titleOf(args[0]), body, isSuite, isPlain, caller: isMethod ? null : name };
}

function isText(node: SyntaxNode | undefined): boolean {
  return node !== undefined && titleOf(node) !== null;
}

function titleOf(given: SyntaxNode | undefined): string | null {
  const node = withoutTypes(given);
  if (node?.type === "StringLiteral") return String(node["value"]);
  return node?.type === "TemplateLiteral" ? plainTemplate(node) : null;
}

interface CalleeName {
  readonly name: string;
  readonly members: readonly string[];
  readonly isMethod: boolean;
}

/** `test`, `test.only`, `t.test` and `test.each(table)`. */
function nameOf(callee: unknown): CalleeName {
  const members: string[] = [];
  let at: unknown = callee;
  for (;;) {
    if (!isNode(at)) return { name: "", members, isMethod: false };
    if (at.type === "MemberExpression") {
      const word = wordOf(at["property"]) ?? "";
      // A subtest of node:test.
      if (testNames.test(word) && /^(?:t|ctx|context)$/.test(wordOf(at["object"]) ?? ""))
        return { name: word, members, isMethod: true };
      members.unshift(word);
      at = at["object"];
    } else if (at.type === "CallExpression" || at.type === "TaggedTemplateExpression") {
      at = at["callee"] ?? at["tag"];
      members.push("each");
    } else return { name: wordOf(at) ?? "", members, isMethod: false };
  }
}
