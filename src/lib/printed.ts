/**
 * Text as it may reach a terminal, a pipe or a log: what names, titles, reports and outputs hold is shown and never obeyed.
 * Each program writes through these and nothing else.
 */
import { stripControls } from "./text.ts";

/** Plain text: lines and tabs stay, control sequences and marks that turn or hide text go. */
export function printed(text: string): string {
  return stripControls(text);
}

/** As `printed`, but for what moves the cursor in a place that is drawn again. */
export function drawn(text: string): string {
  return text
    .split(moves)
    .map((part, index) => (index % 2 === 1 ? part : stripControls(part)))
    .join("");
}

/** A name on one line: a line break in it is seen as one. */
export function onOneLine(name: string): string {
  return name.replace(breaks, (found) => (found === "\t" ? "\\t" : "\\n"));
}

/** JSON of one line, in which each character that a terminal would obey is escaped. It parses to the same value. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(
    obeyed,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** To the line's start, up, and to the end of line or screen cleared: what `cli/live-*.ts` draws with. */
// eslint-disable-next-line no-control-regex
const moves = /(\r(?!\n)|\u001b\[\d{0,4}[AJK])/;
// eslint-disable-next-line no-control-regex
const breaks = /\r\n|[\n\v\f\r\t\u001c-\u001e\u0085\u2028\u2029]/g;
const obeyed = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
