/**
 * Which lines of a Markdown text are code in fences: the one reader of fences, by CommonMark (0.31, sections 4.5, 5.1, 5.2).
 * A fence in a quote or a list ends with it at the latest. Line by line, so that a text of many megabytes is read in one pass.
 */

export interface FencedLine {
  /** Null: the line is no part of a fence. */
  readonly role: "opens" | "inside" | "closes" | null;
  /** What stands behind the opening marks. */
  readonly info: string;
  /** A line inside without what the quote, the list and the fence indent it by. */
  readonly code: string;
  /** How many quotes and lists are around it. */
  readonly depth: number;
}

interface Fence {
  readonly mark: string;
  readonly indent: number;
  /** How many quotes and lists are around it. */
  readonly depth: number;
}

/** A quote, or an item of a list with the width of its indent. */
type Container = "quote" | number;

/** Reads one text: call what it returns with each line, without its end, in their order. */
export function fenceReader(): (line: string) => FencedLine {
  let around: Container[] = [];
  let fence: Fence | null = null;
  return (line) => {
    const { rest, depth } = within(around, withoutTabs(line.replace(/\r$/u, "")));
    if (fence !== null && depth >= fence.depth) {
      const isEnd = closes(rest, fence);
      const code = isEnd ? "" : withoutIndent(rest, fence.indent);
      if (isEnd) fence = null;
      return { role: isEnd ? "closes" : "inside", info: "", code, depth };
    }
    const opened = open(rest, around.slice(0, depth));
    around = opened.around;
    fence = opened.fence;
    const role = fence === null ? null : "opens";
    return { role, info: fence === null ? "" : opened.info, code: "", depth: around.length };
  };
}

/** Each line of a text with what it is, in one go. */
export function fencesOf(lines: readonly string[]): readonly FencedLine[] {
  const read = fenceReader();
  return lines.map((line) => read(line));
}

/** Goes into the quotes and lists that the line before was in, as far as this line is still in them. */
function within(
  around: readonly Container[],
  line: string,
): { readonly rest: string; readonly depth: number } {
  let rest = line;
  let depth = 0;
  for (const container of around) {
    if (container === "quote") {
      const mark = /^ {0,3}> ?/u.exec(rest)?.[0];
      if (mark === undefined) break;
      rest = rest.slice(mark.length);
    } else if (rest.trim() !== "") {
      if (indentOf(rest) < container) break;
      rest = rest.slice(container);
    }
    depth += 1;
  }
  return { rest, depth };
}

interface Opened {
  readonly around: Container[];
  readonly fence: Fence | null;
  readonly info: string;
}

/** The quotes and items that begin in this line, and a fence behind them. */
function open(line: string, before: readonly Container[]): Opened {
  const around = [...before];
  let rest = line;
  for (let next = containerOf(rest); next !== null; next = containerOf(rest)) {
    around.push(next.container);
    rest = next.rest;
  }
  const [, indent = "", mark, info = ""] = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$/u.exec(rest) ?? [];
  const fence = mark === undefined ? null : { mark, indent: indent.length, depth: around.length };
  return { around, fence, info: info.trim() };
}

function containerOf(line: string): { readonly container: Container; readonly rest: string } | null {
  const quote = /^ {0,3}> ?/u.exec(line)?.[0];
  if (quote !== undefined) return { container: "quote", rest: line.slice(quote.length) };
  const [, marker = "", gap = ""] = /^( {0,3}(?:[-*+]|\d{1,9}[.)]))( +|\t|$)/u.exec(line) ?? [];
  if (marker === "" || isRule(line)) return null;
  // Five blanks and more are one, and code behind it; an empty item begins in the next line.
  const isShort = gap.length >= 1 && gap.length <= 4 && line.length > marker.length + gap.length;
  const width = marker.length + (isShort ? gap.length : 1);
  return { container: width, rest: line.slice(width) };
}

function isRule(line: string): boolean {
  return /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,})$/u.test(line);
}

/** By at least as many of the same marks, and nothing behind them. */
function closes(line: string, { mark }: Fence): boolean {
  const end = /^ {0,3}(`{3,}|~{3,})[ \t]*$/u.exec(line)?.[1];
  return end?.startsWith(mark) === true;
}

function withoutIndent(line: string, width: number): string {
  return line.slice(Math.min(indentOf(line), width));
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Tabs before the text stand for blanks up to the next fourth column. */
function withoutTabs(line: string): string {
  const blank = /^[ \t]*/u.exec(line)?.[0] ?? "";
  if (!blank.includes("\t")) return line;
  let wide = "";
  for (const char of blank) wide += char === "\t" ? " ".repeat(4 - (wide.length % 4)) : " ";
  return wide + line.slice(blank.length);
}
