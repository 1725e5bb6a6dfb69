/** The logical lines of a Python text, and the tests in them. */
import { readCode } from "../code-text.ts";
import { lineOf, type Script } from "../script.ts";

/** A statement, or the head of a block, over one or more physical lines. */
export interface PythonLine {
  /** Index of the first character after the indentation. */
  readonly start: number;
  /** Index of the line break after it, or the text's length. */
  readonly end: number;
  readonly indent: string;
  /** The text with strings and comments blanked. */
  readonly code: string;
}

export function pythonLines(script: Script): readonly PythonLine[] {
  const { text, code, strings } = script;
  const ends = new Map(strings.map((literal) => [literal.start, literal.end]));
  const lines: PythonLine[] = [];
  let [start, depth] = [0, 0];
  const close = (end: number) => {
    const own = code.slice(start, end);
    const indent = /^[ \t\f]*/.exec(own)?.[0] ?? "";
    if (own.trim() !== "")
      lines.push({ start: start + indent.length, end, indent, code: own.slice(indent.length) });
    start = end + 1;
  };
  for (let at = 0; at < text.length; at++) {
    const skip = ends.get(at);
    if (skip !== undefined && skip > at) {
      at = skip - 1;
      continue;
    }
    const char = code.charAt(at);
    if ("([{".includes(char)) depth++;
    else if (")]}".includes(char)) depth--;
    else if (
      char === "\n" &&
      depth <= 0 &&
      code.charAt(at - 1) !== "\\" &&
      code.slice(at - 2, at) !== "\\\r"
    ) {
      close(at);
      depth = 0;
    }
  }
  close(text.length);
  return lines;
}

export interface PythonTest {
  /** Classes and function, as in a test id. */
  readonly name: string;
  readonly line: number;
  /** The line of `def`. */
  readonly head: PythonLine;
  /** Whether parameters are added to its id. */
  readonly isTable: boolean;
  /** The statements of the function itself, in order; inner blocks are single entries by their head. */
  readonly statements: readonly PythonLine[];
  /** All lines of the body. */
  readonly lines: readonly PythonLine[];
}

export interface PythonTests {
  readonly tests: readonly PythonTest[];
  /** Tests that run in an uncertain way. */
  readonly unclear: readonly string[];
}

export function pythonTests(script: Script): PythonTests {
  const lines = pythonLines(script);
  const tests: PythonTest[] = [];
  const unclear: string[] = [];
  const around: { readonly indent: number; readonly name: string | null }[] = [];
  for (const [at, line] of lines.entries()) {
    while ((around.at(-1)?.indent ?? -1) >= line.indent.length) around.pop();
    const [, kind = "", name = ""] = /^(?:async\s+)?(def|class)\s+(\w+)/.exec(line.code) ?? [];
    if (kind === "") {
      if (/:\s*$/.test(line.code)) around.push({ indent: line.indent.length, name: null });
      continue;
    }
    const isInside = around.some((block) => block.name === null);
    const path = [...around.map((block) => block.name ?? ""), name];
    if (kind === "def" && name.startsWith("test")) {
      const body = linesBelow(lines, at);
      const marks = decorators(lines, at);
      const statements = body.filter(({ indent }) => indent === body[0]?.indent);
      if (isInside || isUncertain(body, statements, marks)) unclear.push(name);
      else
        tests.push({
          name: path.join("::"),
          line: lineOf(script, line.start),
          head: line,
          isTable: marks.some((mark) => /parametrize|\bparameterized\b|\bgiven\b/.test(mark)),
          statements,
          lines: body,
        });
    }
    around.push({ indent: line.indent.length, name: kind === "class" && !isInside ? name : null });
  }
  // The last function of a name replaces the others.
  const isTwice = ({ name }: PythonTest) => tests.filter((other) => other.name === name).length > 1;
  return {
    tests: tests.filter((test) => !isTwice(test)),
    unclear: [...unclear, ...tests.filter(isTwice).map(({ name }) => name)],
  };
}

/** Ends early, is a generator, or is not meant to pass. */
function isUncertain(
  body: readonly PythonLine[],
  statements: readonly PythonLine[],
  marks: readonly string[],
): boolean {
  return (
    statements.length === 0 ||
    body.some(({ code }) => /\b(?:return|yield)\b/.test(code)) ||
    marks.some((mark) => /skip\b|xfail|expectedFailure/.test(mark))
  );
}

export function linesBelow(lines: readonly PythonLine[], at: number): readonly PythonLine[] {
  const depth = lines[at]?.indent.length ?? 0;
  const rest = lines.slice(at + 1);
  const end = rest.findIndex(({ indent }) => indent.length <= depth);
  return end === -1 ? rest : rest.slice(0, end);
}

function decorators(lines: readonly PythonLine[], at: number): readonly string[] {
  const before = lines.slice(0, at).toReversed();
  const end = before.findIndex(({ code }) => !code.startsWith("@"));
  return before.slice(0, end === -1 ? before.length : end).map(({ code }) => code);
}

export function readPython(text: string): Script {
  return readCode(text, "python");
}
