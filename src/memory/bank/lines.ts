/** A Markdown text as lines with their place, and which of them are code, comments or front matter. Pure. */
import { fenceReader } from "../../lib/markdown.ts";

export interface Line {
  /** Without its end. */
  readonly text: string;
  readonly start: number;
  /** Where the next line starts. */
  readonly next: number;
  /** Inside a fence, a comment or the front matter: nothing there is a heading or a label. */
  readonly opaque: boolean;
}

export function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  const read = fenceReader();
  // What ends the front matter or a comment that is open.
  let end: RegExp | null = frontMatter.test(text) ? /^---\s*$/u : null;
  for (let start = 0; start < text.length;) {
    const found = text.indexOf("\n", start);
    const next = found === -1 ? text.length : found + 1;
    const line = text.slice(start, found === -1 ? next : found).replace(/\r$/u, "");
    const isCode = end === null && read(line).role !== null;
    if (end === null && !isCode && opensComment(line)) end = /-->/u;
    lines.push({ text: line, start, next, opaque: isCode || end !== null });
    // The line that opens a block does not close it.
    if (lines.length > 1 && end?.test(line) === true) end = null;
    start = next;
  }
  return lines;
}

const frontMatter = /^---[^\S\n]*\r?\n[\s\S]*?\S[\s\S]*?\n---[^\S\n]*\r?(\n|$)/u;

function opensComment(line: string): boolean {
  return /^\s*<!--/u.test(line) && !line.includes("-->");
}
