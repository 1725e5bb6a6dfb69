/** Marks in the text of a Go or Rust test file. In neither language can a test replace a module. */
import { readCode } from "./code-text.ts";
import { closing, lineOf, type Script } from "./script.ts";
import type { SourceMark, TextFile } from "./test-marks-javascript.ts";

interface TestFunction {
  readonly name: string;
  readonly start: number;
  /** Its attributes or parameters; then its body. */
  readonly head: string;
  readonly body: string;
}

const goFunction = /^func\s+(\w+)\s*\(([^)]*)\)/gm;
/** `t.Error(…)`, `assert.Equal(t, …)`, and calls that receive the test, such as helpers. */
const goAsserts =
  /\.\s*(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\s*\(|\b(?:assert|require|is|qt|check)\s*\.\s*\w+\s*\(|\bt\.Run\s*\([^,]*,\s*\w+\s*\)/;

/** Whether a test passes its own `*testing.T` on, under any name: `check(t, …)`, `probe{t}`. */
function passesTestOn(body: string, parameters: string): boolean {
  const name = /^\s*(\w+)/.exec(parameters)?.[1];
  return [...body.matchAll(/[({,:]\s*(\w+)\s*(?=[,)}])/g)].some((match) => match[1] === name);
}

export function goMarks(file: TextFile): readonly SourceMark[] {
  const script = readCode(file.text, "go");
  const skips = [...script.code.matchAll(/\b\w+\s*\.\s*(?:Skip|Skipf|SkipNow)\s*\(/g)].map((match) =>
    mark({ script, file, kind: "skip", at: match.index, what: match[0] }),
  );
  // A build tag, which is a comment, hides a whole file from the run.
  const tags = [...file.text.matchAll(/^\/\/(?:go:build|\s*\+build)\b[^\n]*/gm)].map((match) =>
    mark({ script, file, kind: "skip", at: match.index, what: match[0] }),
  );
  const bare = goTests(script).filter(({ head, body }) => !goAsserts.test(body) && !passesTestOn(body, head));
  return sorted([
    ...tags,
    ...skips,
    ...bare.map(({ name, start }) => mark({ script, file, kind: "no_assertion", at: start, name })),
  ]);
}

export function countGoTests(text: string): number {
  return goTests(readCode(text, "go")).length;
}

function goTests(script: Script): readonly TestFunction[] {
  return [...script.code.matchAll(goFunction)].flatMap((match) => {
    const name = match[1] ?? "";
    if (!/^(?:Test|Fuzz)(?![a-z])/.test(name) || name === "TestMain") return [];
    return [
      { name, start: match.index, head: match[2] ?? "", body: bodyAt(script, match.index + match[0].length) },
    ];
  });
}

const rustFunction = /((?:#\[[^\]]*\]\s*)+)(?:pub\s+)?(?:async\s+)?fn\s+(\w+)/g;
const rustAsserts = /\b\w*assert\w*\s*!|\b(?:panic|unreachable)\s*!|\?\s*[;)]|\bunwrap_err\s*\(/;

export function rustMarks(file: TextFile): readonly SourceMark[] {
  const script = readCode(file.text, "rust");
  const ignored = [...script.code.matchAll(/#!?\[[^\]]*\b(?:ignore|cfg\s*\((?!\s*test\s*\)))[^\]]*\]/g)].map(
    (match) => mark({ script, file, kind: "skip", at: match.index, what: match[0] }),
  );
  const asserting = functionsOf(script).filter(({ body }) => rustAsserts.test(body));
  const helpers = new Set(asserting.map(({ name }) => name));
  const calls = (body: string) =>
    [...body.matchAll(/\b(\w+)\s*\(/g)].some(([, name = ""]) => helpers.has(name));
  const bare = rustTests(script).filter(
    ({ head, body }) => !/should_panic/.test(head) && !rustAsserts.test(body) && !calls(body),
  );
  return sorted([
    ...ignored,
    ...bare.map(({ name, start }) => mark({ script, file, kind: "no_assertion", at: start, name })),
  ]);
}

export function countRustTests(text: string): number {
  return rustTests(readCode(text, "rust")).length;
}

function rustTests(script: Script): readonly TestFunction[] {
  return [...script.code.matchAll(rustFunction)].flatMap((match) => {
    const [whole, head = "", name = ""] = match;
    if (!/#\[\s*(?:\w+\s*::\s*)*(?:test|rstest|test_case)\b/.test(head)) return [];
    return [{ name, start: match.index, head, body: bodyAt(script, match.index + whole.length) }];
  });
}

function functionsOf(script: Script): readonly TestFunction[] {
  return [...script.code.matchAll(/\bfn\s+(\w+)/g)].map((match) => ({
    name: match[1] ?? "",
    start: match.index,
    head: "",
    body: bodyAt(script, match.index + match[0].length),
  }));
}

function bodyAt({ code }: Script, from: number): string {
  const open = code.indexOf("{", from);
  return open === -1 ? "" : code.slice(open, closing(code, open) + 1);
}

interface MarkFacts {
  readonly script: Script;
  readonly file: TextFile;
  readonly kind: SourceMark["kind"];
  readonly at: number;
  /** The matched text, with blanked strings. */
  readonly what?: string;
  readonly name?: string;
}

function mark({ script, file, kind, at, what = "", name }: MarkFacts): SourceMark {
  const words = file.text
    .slice(at, at + what.length)
    .trim()
    .replace(/\s+/g, " ")
    .slice(0, 80);
  return { kind, path: file.path, line: lineOf(script, at), what: name ?? words };
}

function sorted(marks: readonly SourceMark[]): readonly SourceMark[] {
  return marks.toSorted((a, b) => a.line - b.line);
}
