/** Recognizes lines with a mark or a label: `- [R1] …`, `**tech_stack**: …`, `- key: …`, and finds where they end. Pure. */
import type { TextLine } from "../../lib/headings.ts";

export interface Mark {
  readonly mark: string;
  readonly indent: number;
}

export interface Label {
  readonly name: string;
  /** The column of the value, from 0. */
  readonly value: number;
  readonly rest: string;
  readonly item: boolean;
  readonly indent: number;
}

const item = String.raw`[-*+]|\d{1,9}[.)]`;
const marked = new RegExp(
  String.raw`^(\s*)(?:${item})\s+(?:\[[ xX]\]\s+)?(?:\*\*|__|` +
    "`" +
    String.raw`)?\[([A-Z]+[0-9₀-₉]+)\](?![([])`,
  "u",
);
const strong = new RegExp(
  String.raw`^(\s*)((?:${item})\s+)?(\*\*|` +
    "`" +
    String.raw`)([^*` +
    "`" +
    String.raw`:]+)(?::\3|\3[^\S\n]*:)[^\S\n]?`,
  "u",
);
/** A label without emphasis has no blanks; outside of a list it needs an underscore, so that prose is not read as labels. */
const plain = new RegExp(String.raw`^(\s*)((?:${item})\s+)?([\p{L}][\p{L}\p{N}_.]*):(?:[^\S\n]|$)`, "u");

export function markOf(line: string): Mark | null {
  const found = marked.exec(line);
  return found ? { mark: found[2] ?? "", indent: found[1]?.length ?? 0 } : null;
}

export function labelOf(line: string): Label | null {
  const bold = strong.exec(line);
  const found = bold ?? plain.exec(line);
  if (!found) return null;
  const name = (bold ? bold[4] : found[3]) ?? "";
  const isItem = found[2] !== undefined;
  if (!bold && !isItem && !name.includes("_")) return null;
  const value = found[0].length;
  return { name, value, rest: line.slice(value).trim(), item: isItem, indent: found[1]?.length ?? 0 };
}

/** Index of the first line after the list item at `index`. */
export function itemEnd(lines: readonly TextLine[], index: number): number {
  const indent = indentOf(lines[index]?.text ?? "");
  let end = index + 1;
  let blank = false;
  for (let at = index + 1; at < lines.length; at++) {
    const { text = "", opaque = false } = lines[at] ?? {};
    if (text.trim() === "") {
      blank = true;
      continue;
    }
    // A line without indentation continues the item, unless a blank line precedes it or it begins a block.
    const goesOn = !blank && !opaque && !/^\s*([-*+]\s|\d{1,9}[.)]\s|#{1,6}(\s|$)|<!--)/u.test(text);
    if (indentOf(text) <= indent && !goesOn) return end;
    blank = false;
    end = at + 1;
  }
  return end;
}

/** Index of the first line after the labelled paragraph at `index`; an empty label takes the next block. */
export function paragraphEnd(lines: readonly TextLine[], index: number, isEmpty: boolean): number {
  let end = index + 1;
  while (isEmpty && end < lines.length && lines[end]?.text.trim() === "") end += 1;
  const first = end;
  for (; end < lines.length; end++) {
    const { text = "", opaque = false } = lines[end] ?? {};
    if (!opaque && (text.trim() === "" || /^ {0,3}#{1,6}(\s|$)/u.test(text) || labelOf(text) !== null)) break;
    if (/^\s*<!--/u.test(text)) break;
  }
  return end === first ? index + 1 : end;
}

function indentOf(text: string): number {
  return /^\s*/u.exec(text)?.[0].length ?? 0;
}
