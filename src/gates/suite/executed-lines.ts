/** Finds changed lines of a source file that no test executed, from V8's counts. For the report only, never for a verdict. */
import { changedLines } from "../../source/changed-lines.ts";
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
  const changed = changedLines(before ?? "", after);
  const { code } = readScript(after);
  const found: number[] = [];
  let start = 0;
  for (const [index, line] of code.split("\n").entries()) {
    const offsets = [...line.matchAll(/[\p{L}\p{N}]/gu)].map((match) => start + match.index);
    start += line.length + 1;
    if (!changed.has(index + 1) || offsets.length === 0) continue;
    if (!counts.some((painted) => offsets.some((at) => (painted[at] ?? 0) > 0))) found.push(index + 1);
  }
  return found;
}

function paint(ranges: readonly CountedRange[], length: number): Uint32Array {
  const painted = new Uint32Array(length);
  for (const { startOffset, endOffset, count } of ranges) painted.fill(count, startOffset, endOffset);
  return painted;
}
