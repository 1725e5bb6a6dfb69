/** Splits a logical line of Python outside of brackets and strings. */
import { closing, type Script } from "../script.ts";
import type { PythonLine } from "./python-lines.ts";

/** Start and end in the code of a line. */
export type Part = readonly [number, number];

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Splits outside of brackets and strings. */
export function partsAt(
  line: PythonLine,
  script: Script,
  { from, to, separator }: Range & { readonly separator: RegExp },
): readonly Part[] {
  const parts: Part[] = [];
  let start = from;
  for (const at of outerPlaces(line, script, { from, to })) {
    const found = separator.exec(line.code.slice(at, to))?.[0];
    if (found === undefined || at < start) continue;
    parts.push([start, at]);
    start = at + found.length;
  }
  const rest = line.code.slice(start, to);
  return rest.trim() === "" && parts.length > 0 ? parts : [...parts, [start, to]];
}

export function outerCode(line: PythonLine, script: Script, range: Range): string {
  return outerPlaces(line, script, range)
    .map((at) => line.code.charAt(at))
    .join("");
}

/** The places outside of brackets and strings. */
function outerPlaces(line: PythonLine, script: Script, { from, to }: Range): readonly number[] {
  const places: number[] = [];
  let depth = 0;
  for (let at = from; at < to; at++) {
    const literal = script.strings.find(
      ({ start, end }) => start <= line.start + at && line.start + at < end,
    );
    if (literal !== undefined) {
      at = literal.end - line.start - 1;
      continue;
    }
    const char = line.code.charAt(at);
    if ("([{".includes(char)) depth++;
    if (")]}".includes(char)) depth--;
    else if (depth === 0) places.push(at);
  }
  return places;
}

/** A condition in brackets over several lines. */
export function withoutBrackets(line: PythonLine, script: Script, [from, to]: Part): Part {
  const { code } = line;
  const open = from + (/^\s*/.exec(code.slice(from, to))?.[0].length ?? 0);
  if (code.charAt(open) !== "(") return [from, to];
  const close = closing(code, open);
  if (code.slice(close + 1, to).trim() !== "") return [from, to];
  const inside = { from: open + 1, to: close };
  return partsAt(line, script, { ...inside, separator: /^,/ }).length === 1 ? [open + 1, close] : [from, to];
}
