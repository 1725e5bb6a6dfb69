/** Finds changed lines of a source file that no test executed, from V8's counts. For the report only, never for a verdict. */
import { readScript } from "../../source/script.ts";

/** A range of a script and its execution count; inner ranges follow outer ones. */
export interface CountedRange {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

export interface SourceChange {
  /** Null for a new file. */
  readonly before: string | null;
  readonly after: string;
  /** The ranges from each process that loaded the file; empty when none did. */
  readonly runs: readonly (readonly CountedRange[])[];
}

/** Line numbers from 1. A line counts as executed when any part of it ran in any process. */
export function unexecutedLines({ before, after, runs }: SourceChange): readonly number[] {
  const counts = runs.map((ranges) => paint(ranges, after.length));
  const old = countLines(before ?? "");
  const { code } = readScript(after);
  const found: number[] = [];
  let start = 0;
  for (const [index, line] of code.split("\n").entries()) {
    const text = after.slice(start, start + line.length);
    const offsets = [...line.matchAll(/[\p{L}\p{N}]/gu)].map((match) => start + match.index);
    start += line.length + 1;
    if (takeOne(old, text) || offsets.length === 0) continue;
    if (!counts.some((painted) => offsets.some((at) => (painted[at] ?? 0) > 0))) found.push(index + 1);
  }
  return found;
}

function paint(ranges: readonly CountedRange[], length: number): Uint32Array {
  const painted = new Uint32Array(length);
  for (const { startOffset, endOffset, count } of ranges) painted.fill(count, startOffset, endOffset);
  return painted;
}

function countLines(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  for (const line of text.split("\n")) lines.set(line, (lines.get(line) ?? 0) + 1);
  return lines;
}

/** Whether the old text still has an unmatched equal line: moved lines are not changed. */
function takeOne(lines: Map<string, number>, line: string): boolean {
  const left = lines.get(line) ?? 0;
  if (left > 0) lines.set(line, left - 1);
  return left > 0;
}
