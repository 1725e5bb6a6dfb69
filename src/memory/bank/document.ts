/**
 * Parses a file of the memory bank into addressable parts. A section is a heading or list item with a mark, `[R1]` or `[R₁]`. A
 * field is a heading (`## Tech Stack` is tech_stack) or a labelled text (`**tech_stack**: …`). Pure.
 */
import { headingsOf, isWithin, linesOf, type Heading, type TextLine } from "../../lib/headings.ts";
import { itemEnd, labelOf, markOf, paragraphEnd } from "./labels.ts";

export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface DocumentPart {
  readonly kind: "section" | "field";
  /** `R1`, or `tech_stack`. */
  readonly name: string;
  /** Counted from 1. */
  readonly line: number;
  /** The whole section, or the value of a field without its name. */
  readonly text: string;
  /** The position of a field's value, for replacement. */
  readonly body: Span;
  /** The syntax of the part. */
  readonly form: Form;
}

export type Form =
  | { readonly type: "heading"; readonly level: number }
  | { readonly type: "item"; readonly indent: number }
  | { readonly type: "paragraph"; readonly label: Span };

export function partsOf(text: string): readonly DocumentPart[] {
  const lines = linesOf(text);
  const headings = headingsOf(lines);
  const parts = headings.flatMap((heading, index) =>
    partsOfHeading({ text, lines, headings }, heading, index),
  );
  for (const [index, line] of lines.entries())
    if (!line.opaque && !headings.some((heading) => isWithin(heading, index)))
      parts.push(...partsOfLine({ text, lines, headings }, index));
  return parts.toSorted((a, b) => a.line - b.line);
}

/** All parts with this name; an address is valid if there is exactly one. */
export function partsNamed(text: string, target: string): readonly DocumentPart[] {
  const parts = partsOf(text);
  const marked = parts.filter(({ kind, name }) => kind === "section" && name === markName(target));
  if (marked.length > 0) return marked;
  const named = parts.filter(({ kind, name }) => kind === "field" && name === fieldName(target));
  // A field may repeat its name inside its own value.
  return named.filter(
    (part) =>
      !named.some(({ body }) => body.from <= part.body.from && part.body.to <= body.to && body !== part.body),
  );
}

/** Normalizes `R₁` to `R1`. */
function markName(text: string): string {
  return text.normalize("NFKC");
}

/** Normalizes `Tech Stack`, `3. Tech-Stack` and `tech_stack` to one name. */
export function fieldName(title: string): string {
  return title
    .replace(/\[[A-Z]+[0-9₀-₉]+\]/gu, " ")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/^\s*\d+(\.\d+)*[.)]?\s+/u, "")
    .replace(/[^\p{L}\p{N}.]+/gu, "_")
    .replace(/^[_.]+|[_.]+$/gu, "");
}

interface Source {
  readonly text: string;
  readonly lines: readonly TextLine[];
  readonly headings: readonly Heading[];
}

function partsOfHeading(source: Source, heading: Heading, index: number): readonly DocumentPart[] {
  const { text, lines, headings } = source;
  const next = headings.slice(index + 1).find(({ level }) => level <= heading.level);
  const to = next === undefined ? text.length : startOf(source, next.first);
  const body = { from: startOf(source, heading.after), to };
  const line = heading.first + 1;
  const form = { type: "heading", level: heading.level } as const;
  const marks = [...heading.title.matchAll(/\[([A-Z]+[0-9₀-₉]+)\](?![([])/gu)].map(([, mark = ""]) => mark);
  const name = fieldName(heading.title);
  const whole = text.slice(lines[heading.first]?.start ?? 0, to).trim();
  return [
    ...marks.map(
      (mark) => ({ kind: "section", name: markName(mark), line, text: whole, body, form }) as const,
    ),
    ...(name === ""
      ? []
      : [{ kind: "field", name, line, text: text.slice(body.from, to).trim(), body, form } as const]),
  ];
}

function partsOfLine(source: Source, index: number): readonly DocumentPart[] {
  const { text, lines } = source;
  const line = lines[index];
  if (line === undefined) return [];
  const parts: DocumentPart[] = [];
  const marked = markOf(line.text);
  if (marked !== null) {
    const body = { from: line.start, to: contentEnd(source, itemEnd(lines, index)) };
    const form = { type: "item", indent: marked.indent } as const;
    parts.push({
      kind: "section",
      name: markName(marked.mark),
      line: index + 1,
      text: shown(text, body),
      body,
      form,
    });
  }
  const label = labelOf(line.text);
  if (label !== null) {
    const end = label.item ? itemEnd(lines, index) : paragraphEnd(lines, index, label.rest === "");
    const body = { from: line.start + label.value, to: contentEnd(source, end) };
    const form = label.item
      ? ({ type: "item", indent: label.indent } as const)
      : ({ type: "paragraph", label: { from: line.start, to: body.from } } as const);
    parts.push({
      kind: "field",
      name: fieldName(label.name),
      line: index + 1,
      text: shown(text, body),
      body,
      form,
    });
  }
  return parts;
}

function shown(text: string, { from, to }: Span): string {
  return text.slice(from, to).trim();
}

/** The end of the previous line, without its line break. */
function contentEnd({ text, lines }: Source, index: number): number {
  const last = lines[index - 1];
  return last === undefined ? text.length : last.start + last.text.length;
}

function startOf({ text, lines }: Source, index: number): number {
  return lines[index]?.start ?? text.length;
}
