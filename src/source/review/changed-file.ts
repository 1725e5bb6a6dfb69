/** A changed file as the readers of this folder see it, and what they find in it. */
import { lineOf, type Script } from "../script.ts";

export interface ChangedFile {
  readonly language: "script" | "python" | "go" | "rust";
  readonly script: Script;
  /** Numbers of changed lines, from 1. */
  readonly changed: ReadonlySet<number>;
}

export interface FoundPlace {
  readonly line: number;
  readonly text: string;
}

/**
 * The first match in changed lines of code, as a list of at most one.
 * @param later matches in lines of this form count only where there are no others
 */
export function firstChanged(
  { script, changed }: ChangedFile,
  pattern: RegExp,
  later?: RegExp,
): readonly FoundPlace[] {
  const lines = script.code.split("\n");
  const found = [...script.code.matchAll(pattern)]
    .map(({ 0: text, index }) => ({ line: lineOf(script, index), text: text.replace(/\s+/gu, " ") }))
    .filter(({ line }) => changed.has(line));
  const first = found.find(({ line }) => later?.test(lines[line - 1] ?? "") !== true) ?? found[0];
  return first === undefined ? [] : [first];
}
