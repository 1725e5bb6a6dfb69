/** Notes in a control copy whether an assertion of a Python test ran; see watched-script.ts. */
import { isPlainAssertion, mayAssert, type PythonFacts } from "../cannot-fail/python-weak.ts";
import { lineOf } from "../script.ts";
import { shortCode, type Flip } from "./edit.ts";
import { type Edit } from "../text-edits.ts";
import type { PythonLine, PythonTest } from "./python-lines.ts";
import { ranNote } from "./watched-script.ts";

/** The assertions of a test; empty where one runs in any case, or another line may assert. */
export function watchedLines(
  { lines, statements }: PythonTest,
  { helpers }: PythonFacts,
): readonly PythonLine[] {
  const found = lines.filter(({ code }) => mayAssert(code, helpers));
  return found.every((line) => isPlainAssertion(line) && !statements.includes(line)) ? found : [];
}

export function watchingLines(lines: readonly PythonLine[], list: string): readonly Edit[] {
  return lines.map(({ start, indent }) => ({
    start,
    end: start,
    text: `${list}[:] = [${ranNote}]\n${indent}`,
  }));
}

export function watchedLine([first]: readonly PythonLine[], { script }: PythonFacts): Flip | undefined {
  if (first === undefined) return undefined;
  return { line: lineOf(script, first.start), was: shortCode(script.text.slice(first.start, first.end)) };
}
