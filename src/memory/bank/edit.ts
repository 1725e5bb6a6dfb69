/** Writes the value of a field and leaves the rest of the file unchanged. Pure. */
import { fieldName, type DocumentPart } from "./document.ts";
import { headingsOf, isWithin, linesOf } from "../../lib/headings.ts";

/** Replaces the value of a field. Headings in the value become deeper than the field's own. */
export function replacePart(text: string, { body, form }: DocumentPart, value: string): string {
  const put = (from: number, to: number, now: string) =>
    text.slice(0, from) + withLineEndsOf(text, now) + text.slice(to);
  const lines = value.trim().split(/\r?\n/u);
  const blank = /\s$/u.test(text.slice(0, body.from)) ? "" : " ";
  switch (form.type) {
    case "heading": {
      const gap = body.from > 0 && text.charAt(body.from - 1) !== "\n" ? "\n" : "";
      const last = body.to === text.length ? "\n" : "\n\n";
      const inner = value.trim() === "" ? "" : `\n${nestHeadings(value, form.level)}${last}`;
      return put(body.from, body.to, gap + (inner === "" && body.to < text.length ? "\n" : inner));
    }
    case "item":
      return put(body.from, body.to, blank + indented(lines, form.indent + 4));
    case "paragraph":
      if (lines.length === 1) return put(body.from, body.to, blank + lines.join(""));
      // Several paragraphs need a list item, whose end is unambiguous.
      return put(form.label.from, body.to, itemOf(text.slice(form.label.from, form.label.to), lines));
  }
}

/** Adds a new field as a heading at the end. */
export function appendField(text: string, name: string, value: string): string {
  const words = fieldName(name).split("_");
  const title = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");
  const gap = text === "" ? "" : text.endsWith("\n") ? "\n" : "\n\n";
  return text + withLineEndsOf(text, `${gap}## ${title}\n\n${nestHeadings(value, 2)}\n`);
}

function itemOf(label: string, lines: readonly string[]): string {
  return `- ${label.trim()} ${indented(lines, 4)}`;
}

/** Indents the lines after the first, so that they belong to the label; a list, fence or heading begins on its own line. */
function indented(lines: readonly string[], by: number): string {
  const isBlock = lines.length > 1 && /^\s*([-*+>|#]|`{3}|~{3}|\d{1,9}[.)]\s)/u.test(lines[0] ?? "");
  const [first = "", ...others] = isBlock ? ["", ...lines] : lines;
  return [first, ...others.map((line) => (line.trim() === "" ? "" : " ".repeat(by) + line))].join("\n");
}

/** Moves headings below this level and closes every fence. */
function nestHeadings(value: string, level: number): string {
  const text = value
    .replaceAll(/\r\n/gu, "\n")
    .replace(/^(?:[^\S\n]*\n)+/u, "")
    .trimEnd();
  const lines = linesOf(text);
  const headings = headingsOf(lines);
  const by = level + 1 - Math.min(...headings.map((heading) => heading.level));
  const out = lines.flatMap(({ text: line }, index) => {
    const heading = headings.find((one) => isWithin(one, index));
    if (by <= 0 || heading === undefined) return [line];
    return heading.first < index ? [] : [`${"#".repeat(Math.min(6, heading.level + by))} ${heading.title}`];
  });
  return out.join("\n") + closingDelimiter(out);
}

/** The delimiter that closes an open fence or comment, so that the rest of the file keeps its meaning. */
function closingDelimiter(out: readonly string[]): string {
  const text = out.join("\n");
  const probes = [...text.matchAll(/^ {0,3}(`{3,}|~{3,})/gmu)].map(([, fence = ""]) => fence);
  const ends = ["", ...probes.map((fence) => `\n${fence}`), "\n-->"];
  return ends.find((end) => !isOpen(text + end)) ?? "";
}

function isOpen(text: string): boolean {
  return linesOf(`${text}\n\nx`).at(-1)?.opaque === true;
}

/** Converts a text to the line ends of the file. */
function withLineEndsOf(file: string, text: string): string {
  const crlf = /^[^\n]*\r\n/u.test(file);
  return crlf ? text.replaceAll(/\r?\n/gu, "\r\n") : text;
}
