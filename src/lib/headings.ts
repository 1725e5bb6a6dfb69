/** Headings and sections of a Markdown text by CommonMark (0.31, sections 4.2, 4.3, 4.6): `## like this` and underlined. */
import { frontMatterOf } from "./front-matter.ts";
import { fenceReader, type FencedLine } from "./markdown.ts";

export interface TextLine {
  /** Without the line break. */
  readonly text: string;
  readonly start: number;
  /** Offset of the next line. */
  readonly next: number;
  /** Inside a fence, a comment or the front matter, where there are no headings or labels. */
  readonly opaque: boolean;
  /** Number of enclosing quotes and lists. */
  readonly depth: number;
}

/** Splits a text into lines with their offsets. */
export function linesOf(text: string): readonly TextLine[] {
  const lines: TextLine[] = [];
  const read = fenceReader();
  const front = frontMatterOf(text);
  const bodyStart = front === null ? 0 : text.length - front.body.length;
  let isComment = false;
  for (let start = 0; start < text.length;) {
    const found = text.indexOf("\n", start);
    const next = found === -1 ? text.length : found + 1;
    const line = text.slice(start, found === -1 ? next : found).replace(/\r$/u, "");
    const isFront = start < bodyStart;
    const wasComment: boolean = isComment;
    const block: FencedLine | null = isFront || wasComment ? null : read(line);
    const isCode = block !== null && block.role !== null;
    if (wasComment) isComment = !line.includes("-->");
    else isComment = block?.role === null && /^\s*<!--/u.test(line) && !line.includes("-->");
    const opaque = isFront || isCode || wasComment || isComment;
    lines.push({ text: line, start, next, opaque, depth: block?.depth ?? 0 });
    start = next;
  }
  return lines;
}

export interface Heading {
  /** 1 to 6. */
  readonly level: number;
  readonly title: string;
  /** Index of its first line. */
  readonly first: number;
  /** Index of the line after it. */
  readonly after: number;
}

/** The headings outside fences, comments, front matter, quotes and lists. */
export function headingsOf(lines: readonly TextLine[]): readonly Heading[] {
  const found: Heading[] = [];
  for (const [index, { text, opaque, depth }] of lines.entries()) {
    // A single hyphen looks like an empty item, which cannot interrupt a paragraph.
    if (opaque || (depth > 0 && !/^ {0,3}-[ \t]*$/u.test(text))) continue;
    const hashes = atxHeading.exec(text);
    if (hashes !== null) {
      const title = (hashes[2] ?? "").replace(/(^|[ \t]+)#+[ \t]*$/u, "").trim();
      found.push({ level: hashes[1]?.length ?? 1, title, first: index, after: index + 1 });
      continue;
    }
    const underline = setextUnderline.exec(text)?.[1];
    const first = underline === undefined ? index : paragraphStart(lines, index);
    if (underline === undefined || first === index) continue;
    const title = lines.slice(first, index).map((line) => line.text.trim());
    found.push({ level: underline.startsWith("=") ? 1 : 2, title: title.join(" "), first, after: index + 1 });
  }
  return found;
}

/** Whether a line belongs to a heading or its underline. */
export function isWithin({ first, after }: Heading, line: number): boolean {
  return first <= line && line < after;
}

const atxHeading = /^\uFEFF? {0,3}(#{1,6})(?:[ \t]+(.*))?$/u;
const setextUnderline = /^ {0,3}(=+|-+)[ \t]*$/u;

/** Index of the first line of the paragraph above a line; the line itself if there is none. */
function paragraphStart(lines: readonly TextLine[], end: number): number {
  let first = end;
  while (isParagraph(lines[first - 1])) first -= 1;
  const above = lines[first - 1];
  // A paragraph that continues a quote or a list belongs to it, and indented code is not a paragraph.
  const isOfContainer = above !== undefined && !above.opaque && above.depth > 0 && above.text.trim() !== "";
  return isOfContainer || /^(?: {4}|\t)/u.test(lines[first]?.text ?? "") ? end : first;
}

/** Whether an underline can turn the line into a heading: not a table, comment, heading or rule. */
function isParagraph(line: TextLine | undefined): boolean {
  if (line === undefined || line.opaque || line.depth > 0) return false;
  const { text } = line;
  return (
    text.trim() !== "" &&
    !atxHeading.test(text) &&
    !/^\s*(?:\||<!--)/u.test(text) &&
    !/^ {0,3}(?:=+|(?:-[ \t]*)+|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/u.test(text)
  );
}

export interface Section {
  readonly level: number;
  /** As in the text. */
  readonly title: string;
  /** The text up to the next heading of the same or a higher level, including sub-headings. */
  readonly body: string;
}

export function sectionsOf(text: string): readonly Section[] {
  const lines = linesOf(text);
  const headings = headingsOf(lines);
  return headings.map(({ level, title, after }) => {
    const next = headings.find((other) => other.first >= after && other.level <= level);
    const body = lines.slice(after, next?.first).map((line) => line.text);
    return { level, title, body: body.join("\n") };
  });
}
