/**
 * Makes text safe for a terminal, a pipe or a log: control sequences in names, titles, reports and outputs have no effect.
 * All programs write only through these functions.
 */
import { stripControls } from "./text.ts";

/** Plain text: keeps lines and tabs; removes control sequences and bidirectional or invisible characters. */
export function printableText(text: string): string {
  return stripControls(text);
}

/** Like `printableText`, but keeps the cursor movements of live displays. */
export function withCursorMoves(text: string): string {
  return keeping(cursorMoves, text);
}

/** Keeps the tones of `cli/screen/paint.ts` too, whose texts are printable already. */
export function withTones(text: string): string {
  return keeping(movesAndTones, text);
}

/** @param pattern has one group around everything that is kept */
function keeping(pattern: RegExp, text: string): string {
  return text
    .split(pattern)
    .map((part, index) => (index % 2 === 1 ? part : stripControls(part)))
    .join("");
}

/** A name on one line: line breaks become visible. */
export function onOneLine(name: string): string {
  return name.replace(breaks, (found) => (found === "\t" ? "\\t" : "\\n"));
}

/** One-line JSON with terminal control characters escaped. It parses to the same value. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(
    terminalControls,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Carriage return, up, and clear to the end of line or screen. */
// eslint-disable-next-line no-control-regex
const cursorMoves = /(\r(?!\n)|\u001b\[\d{0,4}[AJK])/;
// eslint-disable-next-line no-control-regex
const movesAndTones = /(\r(?!\n)|\u001b\[\d{0,4}[AJK]|\u001b\[(?:1|2|22|31|32|33|39)m)/;
// eslint-disable-next-line no-control-regex
const breaks = /\r\n|[\n\v\f\r\t\u001c-\u001e\u0085\u2028\u2029]/g;
const terminalControls = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
