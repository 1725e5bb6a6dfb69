/** Makes output of programs safe to store and show: bounded lines without control characters. Pure. */

/** Removes terminal escape sequences, control characters and bidirectional marks; keeps newline and tab. */
export function stripControls(text: string): string {
  return replaceControls(text, "");
}

/** Like `stripControls`, for a text that a person approves: each control character or mark is seen as `·`. */
export function showControls(text: string): string {
  return replaceControls(text, "·");
}

function replaceControls(text: string, mark: string): string {
  return text.replace(sequences, "").replaceAll("\r\n", "\n").replace(controls, mark);
}

/** Clips a line to `maxBytes` bytes of UTF-8 (default 4 KiB) between characters, and appends its original length. */
export function clipLine(line: string, maxBytes = 4096): string {
  // A UTF-16 unit has at most three bytes, so short lines need no count.
  if (line.length * 3 <= maxBytes) return line;
  const bytes = Buffer.byteLength(line);
  if (bytes <= maxBytes) return line;
  const { read } = new TextEncoder().encodeInto(line, new Uint8Array(maxBytes));
  return `${line.slice(0, read)}… [line of ${bytes} bytes]`;
}

/** The first `maxChars` characters, with `…` if there are more. */
export function excerptOf(text: string, maxChars: number): string {
  const characters = Array.from(text.slice(0, maxChars * 2 + 2));
  return characters.length <= maxChars ? text : `${characters.slice(0, maxChars).join("")}…`;
}

/** The first line, at most 160 characters. */
export function firstLine(text: string): string {
  return excerptOf(text.split("\n", 1)[0] ?? "", 160);
}

/** The last `count` lines as a terminal would show them, without control sequences; a final line break adds no line. */
export function lastLines(text: string, count: number): readonly string[] {
  if (count <= 0 || text === "") return [];
  const end = text.endsWith("\n") ? text.length - 1 : text.length;
  // Searches from the end to avoid splitting a huge text.
  let start = end;
  for (let found = 0; start > -1 && found < count; found++)
    start = start === 0 ? -1 : text.lastIndexOf("\n", start - 1);
  return text
    .slice(start + 1, end)
    .split("\n")
    .map(cleanLine);
}

/** One line as a terminal would show it, without control sequences: a carriage return restarts the line. */
export function cleanLine(line: string): string {
  const visible = line.replace(sequences, "").replace(/\r+$/, "");
  return visible
    .slice(visible.lastIndexOf("\r") + 1)
    .replace(controls, "")
    .replaceAll("\n", "");
}

// CSI, OSC (to BEL or ST), other string sequences, and two-character escapes. None spans lines, so that it hides no evidence.
const sequences =
  // eslint-disable-next-line no-control-regex
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|\u001b[PX^_][^\u001b\n]*(?:\u001b\\)?|\u001b[ -/]*[0-~]|\u009b[0-?]*[ -/]*[@-~]|[\u0090\u0098\u009d-\u009f][^\u0007\u001b\u009c\n]*(?:\u0007|\u009c|\u001b\\)?/g;
const controls =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;
