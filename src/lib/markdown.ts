/**
 * Finds fenced code in a Markdown text by CommonMark (0.31, sections 4.5, 5.1, 5.2). A fence in a quote or a list ends with
 * it at the latest. Works line by line, in one pass.
 */

export interface FencedLine {
  /** Null if the line is not part of a fence. */
  readonly role: "opens" | "inside" | "closes" | null;
  /** The info string of the opening line. */
  readonly info: string;
  /** The content of an inside line, without the indent of quote, list and fence. */
  readonly code: string;
  /** Number of enclosing quotes and lists. */
  readonly depth: number;
}

interface Fence {
  readonly mark: string;
  readonly indent: number;
  /** Number of enclosing quotes and lists. */
  readonly depth: number;
}

/** A quote, or the indent width of a list item. */
type Container = "quote" | number;

/** Returns a function to call with each line of one text in order, without line breaks. */
export function fenceReader(): (line: string) => FencedLine {
  let around: Container[] = [];
  let fence: Fence | null = null;
  return (line) => {
    const { rest, depth } = enterContainers(around, expandTabs(line.replace(/\r$/u, "")));
    if (fence !== null && depth >= fence.depth) {
      const isEnd = closesFence(rest, fence);
      const code = isEnd ? "" : withoutIndent(rest, fence.indent);
      if (isEnd) fence = null;
      return { role: isEnd ? "closes" : "inside", info: "", code, depth };
    }
    const opened = openBlocks(rest, around.slice(0, depth));
    around = opened.around;
    fence = opened.fence;
    const role = fence === null ? null : "opens";
    return { role, info: fence === null ? "" : opened.info, code: "", depth: around.length };
  };
}

/** Classifies all lines of a text. */
export function fencesOf(lines: readonly string[]): readonly FencedLine[] {
  const read = fenceReader();
  return lines.map((line) => read(line));
}

/** Enters the containers of the previous line that this line continues. */
function enterContainers(
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

interface OpenedBlocks {
  readonly around: Container[];
  readonly fence: Fence | null;
  readonly info: string;
}

/** The containers and the fence that start in this line. */
function openBlocks(line: string, before: readonly Container[]): OpenedBlocks {
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
  // Five or more blanks count as one, followed by code; the content of an empty item starts on the next line.
  const isShort = gap.length >= 1 && gap.length <= 4 && line.length > marker.length + gap.length;
  const width = marker.length + (isShort ? gap.length : 1);
  return { container: width, rest: line.slice(width) };
}

function isRule(line: string): boolean {
  return /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,})$/u.test(line);
}

/** A closing line has at least as many of the same marks, and nothing else. */
function closesFence(line: string, { mark }: Fence): boolean {
  const end = /^ {0,3}(`{3,}|~{3,})[ \t]*$/u.exec(line)?.[1];
  return end?.startsWith(mark) === true;
}

function withoutIndent(line: string, width: number): string {
  return line.slice(Math.min(indentOf(line), width));
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Expands leading tabs to tab stops of four columns. */
function expandTabs(line: string): string {
  const blank = /^[ \t]*/u.exec(line)?.[0] ?? "";
  if (!blank.includes("\t")) return line;
  let wide = "";
  for (const char of blank) wide += char === "\t" ? " ".repeat(4 - (wide.length % 4)) : " ";
  return wide + line.slice(blank.length);
}
