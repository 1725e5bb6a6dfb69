/**
 * Cuts tests out of a JavaScript, TypeScript or Python test file, with the comments above them (PRV-16). A suite without
 * another test goes too. Only tests with certain names can be cut: tables and loops of JavaScript stay.
 */
import { applyEdits, type Edit } from "../text-edits.ts";
import { pythonTests, readPython, pythonLines, linesBelow, type PythonLine } from "./python-lines.ts";
import { scriptTests, testCall } from "./script-tests.ts";
import { everyNode, isNode, nodesIn, rangeOf, type Parse, type SyntaxNode } from "../syntax.ts";
import type { TextFile } from "../test-marks-javascript.ts";

export interface CutFile {
  /** The text without the tests; null where no test is left. */
  readonly text: string | null;
  /** Suites and title of each test that was cut, joined as in a test id. */
  readonly cut: ReadonlySet<string>;
}

/** @param wanted suites and titles, joined as in a test id */
export function withoutTests(parse: Parse, file: TextFile, wanted: ReadonlySet<string>): CutFile {
  return file.path.endsWith(".py") ? pythonWithout(file.text, wanted) : scriptWithout(parse, file, wanted);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function scriptWithout(parse: Parse, file: TextFile, wanted: ReadonlySet<string>): CutFile {
  const program = parse(file.path, file.text);
  if (program === null) return { text: file.text, cut: new Set() };
  const names = onlyOnce(
    scriptTests(program).tests.map(({ path, body }) => [path.join("::"), body] as const),
  );
  const bodies = new Map([...names].map(([name, body]) => [body, name]));
  const cut = new Set<string>();
  const spans = spansIn(nodesIn(program["body"]));
  const left = testsIn(program) - cut.size;
  return { text: left === 0 ? null : applyEdits(file.text, edits(file.text, spans, "//")), cut };

  function spansIn(statements: readonly SyntaxNode[]): readonly Span[] {
    return statements.flatMap((statement): readonly Span[] => {
      const call = callOf(statement);
      if (call === null || call.body === null) return [];
      if (!call.isSuite) {
        const name = bodies.get(call.body);
        if (name === undefined || !wanted.has(name)) return [];
        cut.add(name);
        return [rangeOf(statement)];
      }
      const inner = call.body["body"];
      if (!isNode(inner)) return [];
      const found = spansIn(nodesIn(inner["body"]));
      return found.length > 0 && isEmptied(statement) ? [rangeOf(statement)] : found;
    });
  }

  function isEmptied(suite: SyntaxNode): boolean {
    return callsIn(suite).every(({ body }) => body !== null && cut.has(bodies.get(body) ?? ""));
  }
}

function callOf(statement: SyntaxNode) {
  if (statement.type !== "ExpressionStatement") return null;
  let node = statement["expression"];
  while (isNode(node) && (node.type === "AwaitExpression" || node.type === "UnaryExpression"))
    node = node["argument"];
  return isNode(node) ? testCall(node) : null;
}

function callsIn(node: SyntaxNode) {
  return everyNode(node).flatMap((one) => {
    const call = testCall(one);
    return call === null || call.isSuite ? [] : [call];
  });
}

function testsIn(node: SyntaxNode): number {
  return callsIn(node).length;
}

function pythonWithout(text: string, wanted: ReadonlySet<string>): CutFile {
  const script = readPython(text);
  const lines = pythonLines(script);
  const tests = pythonTests(script).tests.filter(({ name }) => wanted.has(name));
  const heads = new Set(tests.map(({ head }) => head.start));
  const gone = new Set<number>();
  for (const [at, line] of lines.entries()) {
    if (!heads.has(line.start)) continue;
    for (const one of withDecorators(lines, at)) gone.add(one.start);
  }
  for (const [at, line] of lines.entries()) {
    if (!line.code.startsWith("class ") || gone.has(line.start)) continue;
    const body = linesBelow(lines, at).filter(({ code }) => !isString(code));
    const isEmptied = body.length > 0 && body.every(({ start }) => gone.has(start));
    if (isEmptied) for (const one of withDecorators(lines, at)) gone.add(one.start);
  }
  const isLeft = lines.some(({ code, start }) => /^(?:async\s+)?def test/.test(code) && !gone.has(start));
  const spans = lines.filter(({ start }) => gone.has(start));
  const cut = new Set(tests.map(({ name }) => name));
  return { text: isLeft ? applyEdits(text, edits(text, joined(text, spans), "#")) : null, cut };
}

/** A statement that is only a text, such as the one that describes a class. */
function isString(code: string): boolean {
  return /^\w{0,2}["']/.test(code);
}

function withDecorators(lines: readonly PythonLine[], at: number): readonly PythonLine[] {
  const before = lines.slice(0, at).toReversed();
  const end = before.findIndex(({ code }) => !code.startsWith("@"));
  const marks = before.slice(0, end === -1 ? before.length : end);
  return [...marks, ...lines.slice(at, at + 1), ...linesBelow(lines, at)];
}

/** One span for lines with nothing but blanks and comments between them. */
function joined(text: string, lines: readonly PythonLine[]): readonly Span[] {
  const spans: Span[] = [];
  for (const { start, end } of lines) {
    const last = spans.at(-1);
    const between = last === undefined ? "x" : text.slice(last.end, start).replaceAll(/^\s*#.*$/gmu, "");
    if (last !== undefined && between.trim() === "") spans.splice(-1, 1, { start: last.start, end });
    else spans.push({ start, end });
  }
  return spans;
}

/** Whole lines, with the comments directly above. */
function edits(text: string, spans: readonly Span[], comment: "//" | "#"): readonly Edit[] {
  return spans.map(({ start, end }) => {
    let from = text.lastIndexOf("\n", start - 1) + 1;
    if (text.slice(from, start).trim() !== "") from = start;
    else from = aboveComments(text, from, comment);
    const next = text.indexOf("\n", end);
    const isAlone = text.slice(end, next === -1 ? text.length : next).trim() === "";
    return { start: from, end: isAlone ? (next === -1 ? text.length : next + 1) : end, text: "" };
  });
}

function aboveComments(text: string, from: number, comment: string): number {
  let at = from;
  while (at > 0) {
    const line = text.lastIndexOf("\n", at - 2) + 1;
    const above = text.slice(line, at).trim();
    if (above.startsWith(comment)) at = line;
    else if (comment === "//" && above.endsWith("*/")) {
      const opens = text.lastIndexOf("/*", at);
      const first = text.lastIndexOf("\n", opens) + 1;
      if (opens === -1 || text.slice(first, opens).trim() !== "") return at;
      at = first;
    } else return at;
  }
  return at;
}

/** Entries whose name occurs once. */
function onlyOnce<Value>(entries: readonly (readonly [string, Value])[]): ReadonlyMap<string, Value> {
  const names = entries.map(([name]) => name);
  return new Map(entries.filter(([name]) => names.indexOf(name) === names.lastIndexOf(name)));
}
