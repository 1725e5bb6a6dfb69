/** The headings of a Markdown text, `## like this` and underlined ones. Pure. */
import type { Line } from "./lines.ts";

export interface Heading {
  /** 1 to 6. */
  readonly level: number;
  readonly title: string;
  /** Index of its first line. */
  readonly first: number;
  /** Index of the line after it. */
  readonly after: number;
}

export function headingsOf(lines: readonly Line[]): readonly Heading[] {
  const found: Heading[] = [];
  for (const [index, { text, opaque }] of lines.entries()) {
    if (opaque) continue;
    const hashes = /^\uFEFF? {0,3}(#{1,6})(?:[ \t]+(.*))?$/u.exec(text);
    if (hashes) {
      const title = (hashes[2] ?? "").replace(/(^|[ \t]+)#+[ \t]*$/u, "").trim();
      found.push({ level: hashes[1]?.length ?? 1, title, first: index, after: index + 1 });
      continue;
    }
    const below = lines[index + 1];
    const underline = below && !below.opaque ? /^ {0,3}(=+|-+)[ \t]*$/u.exec(below.text)?.[1] : undefined;
    if (underline === undefined || !isParagraph(text)) continue;
    found.push({
      level: underline.startsWith("=") ? 1 : 2,
      title: text.trim(),
      first: index,
      after: index + 2,
    });
  }
  return found;
}

/** Text that an underline makes a heading: no list, quote, table or line of its own kind. */
function isParagraph(text: string): boolean {
  return (
    text.trim() !== "" &&
    !/^(\s{4}|\s*([-*+>|]|<!--|\d{1,9}[.)]\s))/u.test(text) &&
    !/^\s*(=+|-+)\s*$/u.test(text)
  );
}
