/**
 * Handles Go and Rust tests that do not compile because their unit does not exist yet: the function with the compile error
 * is emptied for the check and fails with the marker; other tests run unchanged.
 */
import type { CompileError } from "../../evidence/test-result.ts";
import { assertNever } from "../../lib/assert-never.ts";
import { languageOf, readCode } from "../../source/code-text.ts";
import { missesInGo, missesInRust, type Missing } from "./compile-errors.ts";
import { bodyStart } from "./function-body.ts";
import { isInlineTest } from "../../source/inline-tests.ts";
import { closing, type Script } from "../../source/script.ts";
import type { TextFile } from "../../source/test-marks-javascript.ts";
import { applyEdits, type Edit } from "../../source/text-edits.ts";

export interface UncompiledFacts extends Missing {
  /** All compile errors of this round. */
  readonly errors: readonly CompileError[];
  /** Changed test files as in the checkout. */
  readonly tests: readonly TextFile[];
  /** A random word that distinguishes this marker from one of the test. */
  readonly mark: string;
}

export type EmptyResult =
  | { readonly type: "emptied"; readonly files: readonly TextFile[] }
  /** An error that the missing unit does not explain. */
  | { readonly type: "own"; readonly error: CompileError };

export function emptyTests(facts: UncompiledFacts): EmptyResult {
  const files = new Map(facts.tests.map((file) => [file.path, file]));
  const edits = new Map<string, Edit[]>();
  for (const error of facts.errors) {
    const file = files.get(error.file);
    const edit = file === undefined ? null : editFor(error, file, facts);
    if (edit === null) return { type: "own", error };
    edits.set(error.file, [...(edits.get(error.file) ?? []), edit]);
  }
  const changed = [...edits].map(([path, list]) => ({
    path,
    text: applyEdits(files.get(path)?.text ?? "", distinct(list)),
  }));
  return { type: "emptied", files: changed };
}

function editFor(error: CompileError, file: TextFile, facts: UncompiledFacts): Edit | null {
  const language = languageOf(file.path);
  switch (language) {
    case "go": {
      const script = readCode(file.text, "go");
      if (/\bimported (?:and|but) not used\b/.test(error.message))
        return file.text.includes(facts.mark) ? unusedImport(error, file.text) : null;
      const body = bodyAround(script, error.line, /^func\b/gm);
      if (
        body === null ||
        !missesInGo({ error, script, body: script.code.slice(body.start, body.end) }, facts)
      )
        return null;
      return {
        ...body,
        text: `{ panic(${JSON.stringify(markerMessage(error, facts))})${linesOf(file, body)} }`,
      };
    }
    case "rust": {
      const script = readCode(file.text, "rust");
      // In a source file only the tests are emptied.
      if (facts.planned.includes(file.path) && !isInlineTest(file.path, file.text, error.line)) return null;
      if (error.message.startsWith("unused import"))
        return file.text.includes(facts.mark) ? before(error, file.text, "#[allow(unused_imports)] ") : null;
      const body = bodyAround(script, error.line, /\bfn\s+\$?\w+/g);
      if (
        body === null ||
        !missesInRust({ error, script, body: script.code.slice(body.start, body.end) }, facts)
      )
        return null;
      return {
        ...body,
        text: `{ todo!("{}", ${JSON.stringify(markerMessage(error, facts))})${linesOf(file, body)} }`,
      };
    }
    case "python":
    case null:
      return null;
    default:
      return assertNever(language);
  }
}

function markerMessage({ message }: CompileError, { mark }: UncompiledFacts): string {
  return `not implemented: ${message} ${mark}`;
}

/** Keeps the number of lines, so that line numbers are those of the project. */
function linesOf(
  { text }: TextFile,
  { start, end }: { readonly start: number; readonly end: number },
): string {
  return "\n".repeat(text.slice(start, end).split("\n").length - 1);
}

function startOf({ line }: Pick<CompileError, "line">, lines: readonly string[]): number {
  return lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
}

function before(error: CompileError, text: string, added: string): Edit {
  const start = startOf(error, text.split("\n"));
  return { start, end: start, text: added };
}

/** Removes an import that only emptied functions used. */
function unusedImport(error: CompileError, text: string): Edit | null {
  const lines = text.split("\n");
  const start = startOf(error, lines);
  const own = lines[error.line - 1] ?? "";
  const found = /^(\s*(?:import\s+)?)(?:[\w.]+\s+)?(?=["`])/.exec(own);
  if (found === null) return null;
  return { start, end: start + found[0].length, text: `${found[1] ?? ""}_ ` };
}

/** The outermost function around a line, from brace to brace. */
function bodyAround({ code }: Script, line: number, heads: RegExp): { start: number; end: number } | null {
  const lines = code.split("\n");
  const from = startOf({ line }, lines);
  const to = from + (lines[line - 1]?.length ?? 0);
  for (const { index } of code.matchAll(heads)) {
    const start = bodyStart(code, index);
    if (start === null || start > to) continue;
    const end = closing(code, start) + 1;
    if (end > from && start <= to) return { start, end };
  }
  return null;
}

/** Several errors may ask for the same edit. */
function distinct(edits: readonly Edit[]): readonly Edit[] {
  return edits.filter((edit, at) => edits.findIndex(({ start }) => start === edit.start) === at);
}
