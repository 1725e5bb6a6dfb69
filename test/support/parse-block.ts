/** Reads the content of an EXECUTION_BLOCK back from its frame. Pure. */
import { goesOn, title } from "../../src/views/gate/execution-block.ts";

/** The content of a block, without trailing blanks. */
export interface ParsedBlock {
  readonly command: string;
  readonly lines: readonly string[];
  /** The text after `EXIT_CODE: `. */
  readonly exit: string;
  /** `YYYY-MM-DD HH:MM:SS` */
  readonly timestamp: string;
  readonly inner: readonly ParsedBlock[];
}

/** The first complete block of a text, or null. */
export function parseExecutionBlock(text: string): ParsedBlock | null {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => /^┌─+┐$/u.test(line));
  const end = lines.findIndex((line, index) => index > start && /^└─+┘$/u.test(line));
  if (start < 0 || end < 0) return null;
  const [name, , ...rows] = lines.slice(start + 1, end).map(withoutBars);
  return name === title ? readBlock([title, ...wholeLines(rows)]) : null;
}

function withoutBars(line: string): string {
  return line.replace(/^│ /u, "").replace(/│$/u, "").trimEnd();
}

/** Joins the rows of wrapped lines. */
function wholeLines(rows: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const row of rows) {
    const text = row.trimStart();
    const last = lines.at(-1);
    if (text.startsWith(goesOn) && last !== undefined)
      lines[lines.length - 1] = last + text.slice(goesOn.length);
    else lines.push(text.startsWith("↪↪") ? row.replace("↪↪", "↪") : row);
  }
  return lines;
}

function readBlock([name, command = "", ...rest]: readonly string[]): ParsedBlock | null {
  const exit = /^EXIT_CODE: (.+)$/u.exec(rest.at(-2) ?? "")?.[1];
  const timestamp = /^\[TIMESTAMP: (.+)\]$/u.exec(rest.at(-1) ?? "")?.[1];
  if (name !== title || !command.startsWith("$ ") || exit === undefined || timestamp === undefined)
    return null;
  const { inner, lines } = innerBlocks(rest.slice(0, -2));
  return { command: command.slice(2), lines, exit, timestamp, inner };
}

/** Inner blocks are indented, and come before the block's own output. */
function innerBlocks(lines: readonly string[]): Pick<ParsedBlock, "inner" | "lines"> {
  const own = lines.map((line) => (line.startsWith("  ") ? line.slice(2) : null));
  const next = own.findIndex((line, at) => line === null || (at > 0 && line === title));
  const indented = own.slice(0, next < 0 ? own.length : next).filter((line) => line !== null);
  const end = indented.findLastIndex((line) => /^\[TIMESTAMP: .+\]$/u.test(line)) + 1;
  const first = readBlock(indented.slice(0, end));
  if (first === null) return { inner: [], lines };
  const others = innerBlocks(lines.slice(end));
  return { inner: [first, ...others.inner], lines: others.lines };
}
