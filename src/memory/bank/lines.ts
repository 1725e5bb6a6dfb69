/** A Markdown text as lines with their place, and which of them are code, comments or front matter. Pure. */

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
  let end: Ends | null = frontMatter.test(text) ? (line) => /^---\s*$/u.test(line) : null;
  for (let start = 0; start < text.length;) {
    const found = text.indexOf("\n", start);
    const next = found === -1 ? text.length : found + 1;
    const line = text.slice(start, found === -1 ? next : found).replace(/\r$/u, "");
    const opened: Ends | null = end ?? endOf(line);
    lines.push({ text: line, start, next, opaque: opened !== null });
    // The line that opens a block does not close it.
    end = end?.(line) === true && lines.length > 1 ? null : opened;
    start = next;
  }
  return lines;
}

const frontMatter = /^---[^\S\n]*\r?\n[\s\S]*?\S[\s\S]*?\n---[^\S\n]*\r?(\n|$)/u;

type Ends = (line: string) => boolean;

/** What ends the block that this line opens; null when it opens none. */
function endOf(opening: string): Ends | null {
  const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/u.exec(opening)?.[1];
  if (fence !== undefined)
    return (line) => {
      const closing = /^ {0,3}(`{3,}|~{3,})\s*$/u.exec(line)?.[1] ?? "";
      return closing.length >= fence.length && closing.startsWith(fence.charAt(0));
    };
  return /^\s*<!--/u.test(opening) && !opening.includes("-->") ? (line) => line.includes("-->") : null;
}
