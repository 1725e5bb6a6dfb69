/** Marks in the text of a JavaScript test file: tests that are hidden, and tests that prove nothing. */
import { importsOf } from "./imports.ts";
import { kindOf, type PathRules } from "./paths.ts";
import { closing, lineOf, literalAt, readScript, type Script } from "./script.ts";
import { joinPath } from "./module-paths.ts";

export interface SourceMark {
  readonly kind: "skip" | "todo" | "only" | "no_assertion" | "mocks_unit" | "same_name";
  readonly path: string;
  readonly line: number;
  readonly what: string;
}

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

const callers = "describe|suite|context|it|test|specify|bench";
const chained = new RegExp(
  `(?<![\\p{L}\\p{N}_$.])(?:${callers})(?:\\s*\\.\\s*[\\p{L}]+)*?\\s*\\.\\s*(skip|skipIf|runIf|todo|only|fails|failing)(?![\\p{L}\\p{N}_$])`,
  "gu",
);
const shorthand = /(?<![\p{L}\p{N}_$.])(xit|xtest|xdescribe|xspecify|fit|fdescribe|ftest)\s*\(/gu;
const inside = /(?<![\p{L}\p{N}_$.])(?:t|ctx|context|task|this)\s*\.\s*(skip|todo)\s*\(/gu;
const option = /(?<=[{,]\s*)(skip|todo|only)\s*:(?!\s*(?:false|undefined)\b)/gu;
const opening = new RegExp(
  `(?<![\\p{L}\\p{N}_$.])(?:it|test|specify)(?:\\s*\\.\\s*[\\p{L}]+(?:\\s*\\([^()]*\\))?)*\\s*(?=\\()`,
  "gu",
);
const asserts =
  /(?<![\p{L}\p{N}_$])(?:expect|assert|should|verify|check)[\p{L}\p{N}_$]*\s*(?:\(|\.|`)|\.\s*(?:should|assert|plan|rejects|throws)\b/u;
const mocks =
  /(?<![\p{L}\p{N}_$.])(?:(?:vi|vitest|jest)\s*\.\s*(?:mock|doMock|unstable_mockModule)|(?:(?:t|ctx|context)\s*\.\s*)?mock\s*\.\s*module)\s*\(/gu;

export function javascriptMarks(file: TextFile, rules: PathRules): readonly SourceMark[] {
  const script = readScript(file.text);
  const mark = markIn(file, script);
  const found: SourceMark[] = [];
  for (const match of script.code.matchAll(chained))
    found.push(mark(hiding(match[1]), match.index, match[0]));
  for (const match of script.code.matchAll(shorthand))
    found.push(mark(match[1]?.startsWith("f") === true ? "only" : "skip", match.index, match[1] ?? ""));
  for (const match of script.code.matchAll(inside)) found.push(mark(hiding(match[1]), match.index, match[0]));
  const tests = testCalls(script);
  for (const match of script.code.matchAll(option)) {
    if (tests.some((test) => match.index > test.start && match.index < test.body))
      found.push(mark(hiding(match[1]), match.index, match[0]));
  }
  found.push(
    ...withoutAssertion(script, tests, file.path, rules).map((test) =>
      mark("no_assertion", test.start, test.title),
    ),
  );
  found.push(
    ...mockedUnits(script, file.path, rules).map(({ at, target }) => mark("mocks_unit", at, target)),
  );
  return found.toSorted((a, b) => a.line - b.line);
}

/** Makes the marks of a file. */
export function markIn({ path }: TextFile, script: Script) {
  return (kind: SourceMark["kind"], at: number, what: string): SourceMark => ({
    kind,
    path,
    line: lineOf(script, at),
    what: what.trim().replace(/\s+/g, " ").slice(0, 80),
  });
}

/** Marks that did not exist before; compared by text, because lines move. */
export function freshMarks<Mark extends Pick<SourceMark, "path" | "what"> & { readonly kind?: string }>(
  now: readonly Mark[],
  before: readonly Mark[],
): readonly Mark[] {
  const textOf = ({ kind = "", path, what }: Mark) => `${kind} ${path} ${what}`;
  const known = before.map(textOf);
  return now.filter((mark) => {
    const at = known.indexOf(textOf(mark));
    if (at >= 0) known.splice(at, 1);
    return at < 0;
  });
}

/** The number of `test` and `it` calls with a title. */
export function countJavascriptTests(text: string): number {
  return testCalls(readScript(text)).length;
}

/** Title -> the text of its calls, to detect changed tests. */
export function testTexts(text: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { title, start, end } of testCalls(readScript(text))) {
    const [before, own] = [texts.get(title), text.slice(start, end)];
    texts.set(title, before === undefined ? own : `${before}${textSeparator}${own}`);
  }
  return texts;
}

/** Separates the texts of several tests of one name. */
export const textSeparator = "\u0000";

function hiding(word: string | undefined): SourceMark["kind"] {
  if (word === "todo" || word === "only") return word;
  return "skip"; // also skipIf, runIf, and `fails`, which turns a failure into a pass
}

interface TestCall {
  readonly title: string;
  readonly start: number;
  /** Start of the function; options come before it. */
  readonly body: number;
  readonly end: number;
}

function testCalls(script: Script): readonly TestCall[] {
  const found: TestCall[] = [];
  for (const match of script.code.matchAll(opening)) {
    const open = match.index + match[0].length;
    const title = literalAt(script, open + 1);
    if (title === null) continue;
    const end = closing(script.code, open);
    const body = /=>|(?<![\p{L}\p{N}_$])function(?![\p{L}\p{N}_$])/u.exec(script.code.slice(title.end, end));
    found.push({
      title: title.value,
      start: match.index,
      body: body === null ? end : title.end + body.index,
      end,
    });
  }
  return found;
}

/** A test asserts if its body does, or if it calls a function of this file or of a test helper that may. */
function withoutAssertion(
  script: Script,
  tests: readonly TestCall[],
  path: string,
  rules: PathRules,
): readonly TestCall[] {
  const helpers = new Set([...assertingFunctions(script), ...importedHelpers(script, path, rules)]);
  return tests.filter((test) => {
    const code = script.code.slice(test.body, test.end);
    if (
      test.body === test.end ||
      asserts.test(code) ||
      passesCallbackOn(script.code.slice(test.start, test.body), code)
    )
      return false;
    return ![...code.matchAll(/([\p{L}_$][\p{L}\p{N}_$]*)\s*[(.]/gu)].some((match) =>
      helpers.has(match[1] ?? ""),
    );
  });
}

/**
 * Whether the callback that ends the test is given to something else, as in `after(4, done)`: without that call the test
 * never ends. A timer would call it anyway.
 */
function passesCallbackOn(head: string, code: string): boolean {
  const own = /^function\s*[\p{L}\p{N}_$]*\s*\(\s*([\p{L}_$][\p{L}\p{N}_$]*)\s*\)/u.exec(code);
  const done = own?.[1] ?? /[,(]\s*([\p{L}_$][\p{L}\p{N}_$]*)\s*\)?\s*$/u.exec(head)?.[1];
  if (done === undefined) return false;
  const uses = /(?:([\p{L}_$][\p{L}\p{N}_$]*)\s*\(|[,:])\s*([\p{L}_$][\p{L}\p{N}_$]*)\s*[,)}]/gu;
  return [...code.slice(own?.[0].length ?? 0).matchAll(uses)].some(
    ([, callee = "", name]) => name === done && !timers.test(callee),
  );
}

const timers = /^(?:setTimeout|setInterval|setImmediate|nextTick|queueMicrotask|then|catch|finally)$/u;

function assertingFunctions(script: Script): readonly string[] {
  const names: string[] = [];
  const define =
    /(?:function\s+([\p{L}\p{N}_$]+)|(?:const|let|var)\s+([\p{L}\p{N}_$]+)[^=;\n]*=\s*(?:async\s*)?(?:function\b|\(|[\p{L}\p{N}_$]+\s*=>))/gu;
  for (const match of script.code.matchAll(define)) {
    const brace = script.code.indexOf("{", match.index + match[0].length);
    const line = script.code.indexOf("\n", match.index);
    const end = brace === -1 ? line : closing(script.code, brace);
    if (asserts.test(script.code.slice(match.index + match[0].length - 1, end)))
      names.push(match[1] ?? match[2] ?? "");
  }
  return names;
}

function importedHelpers(script: Script, path: string, rules: PathRules): readonly string[] {
  const clauses = /(?<![\p{L}\p{N}_$.])import\s+([^"'`;]*?)\s*from\s*(?=["'])/gu;
  return [...script.code.matchAll(clauses)].flatMap((match) => {
    const from = literalAt(script, match.index + match[0].length)?.value ?? "";
    if (!from.startsWith(".") || kindOf(joinPath(path, from), rules) === "source") return [];
    return [...(match[1] ?? "").matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)].map((name) => name[0]);
  });
}

/** Mocked source modules in a test file that imports no other source module. */
function mockedUnits(
  script: Script,
  path: string,
  rules: PathRules,
): readonly { at: number; target: string }[] {
  const source = (from: string) => from.startsWith(".") && kindOf(joinPath(path, from), rules) === "source";
  const stem = (from: string) => joinPath(path, from).replace(/\.[cm]?[jt]sx?$/, "");
  const mocked = [...script.code.matchAll(mocks)].flatMap((match) => {
    const target = literalAt(script, match.index + match[0].length)?.value;
    return target !== undefined && source(target) ? [{ at: match.index, target }] : [];
  });
  const hidden = new Set(mocked.map(({ target }) => stem(target)));
  const tested = importsOf(script).filter((one) => source(one.from));
  return tested.some((one) => !hidden.has(stem(one.from))) ? [] : mocked;
}
