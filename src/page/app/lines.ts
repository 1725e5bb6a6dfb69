/** The lines of a text or a diff, with the place in a file that a comment names. Pure. */
import { showControls } from "../../lib/text.ts";

export interface LinePlace {
  readonly file: string;
  readonly line: number;
  /** Of a diff: a removed line is counted in the file before the change. */
  readonly side: "before" | "after";
}

export interface ShownLine {
  readonly text: string;
  readonly kind: "plain" | "added" | "removed" | "hunk" | "file";
  /** Null: it cannot be commented on. */
  readonly place: LinePlace | null;
  /** Numbers before and after the change; null: the line is not there. */
  readonly before: number | null;
  readonly after: number | null;
}

/** @param file its name; null: it is no document, so nobody comments on it */
export function linesOfText(text: string, file: string | null): readonly ShownLine[] {
  const lines = showControls(text).replace(/\n$/u, "").split("\n");
  return lines.map((line, index) => ({
    text: line,
    kind: "plain",
    place: file === null ? null : { file, line: index + 1, side: "after" },
    before: null,
    after: index + 1,
  }));
}

/** Lines of a unified diff; a removed line is named by its number before the change. */
export function linesOfDiff(diff: string): readonly ShownLine[] {
  const lines: ShownLine[] = [];
  let file = "";
  let left = { before: 0, after: 0 };
  let [before, after] = [0, 0];
  const nowhere = { place: null, before: null, after: null };
  for (const text of showControls(diff).replace(/\n$/u, "").split("\n")) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/u.exec(text);
    if (left.before <= 0 && left.after <= 0) {
      if (hunk !== null) {
        [before, after] = [Number(hunk[1]), Number(hunk[3])];
        left = { before: Number(hunk[2] ?? 1), after: Number(hunk[4] ?? 1) };
        lines.push({ text, kind: "hunk", ...nowhere });
      } else if (text.startsWith("diff --git ")) {
        file = fileOf(text.slice("diff --git ".length));
        lines.push({ text: showControls(file), kind: "file", ...nowhere });
      } else if (/^(?:new|deleted|rename|similarity|Binary|old mode)/u.test(text))
        lines.push({ text, kind: "plain", ...nowhere });
      continue;
    }
    const sign = text[0] ?? " ";
    const line = text.slice(1);
    if (sign === "\\") lines.push({ text, kind: "plain", ...nowhere });
    else if (sign === "-") {
      const place: LinePlace = { file, line: before, side: "before" };
      lines.push({ text: line, kind: "removed", place, before, after: null });
      before += 1;
      left = { ...left, before: left.before - 1 };
    } else {
      const isAdded = sign === "+";
      const was = isAdded ? null : before;
      lines.push({
        text: line,
        kind: isAdded ? "added" : "plain",
        place: { file, line: after, side: "after" },
        before: was,
        after,
      });
      after += 1;
      if (!isAdded) before += 1;
      left = { before: left.before - (isAdded ? 0 : 1), after: left.after - 1 };
    }
  }
  return lines;
}

/** The file of `a/FILE b/FILE`; git quotes unusual names as C does. */
function fileOf(both: string): string {
  const half = both.slice(both.length - (both.length - 1) / 2);
  return half.startsWith('"') ? unquoted(half.slice(1, -1)).slice("b/".length) : half.slice("b/".length);
}

const escaped: Readonly<Record<string, string>> = {
  t: "\t",
  n: "\n",
  r: "\r",
  a: "\u0007",
  b: "\b",
  f: "\f",
  v: "\v",
};

function unquoted(text: string): string {
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [part, octal, letter] of text.matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gsu)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...encoder.encode(letter === undefined ? part : (escaped[letter] ?? letter)));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
