/** Wraps a text for a terminal at blanks. What is read by programs, copied, or has columns stays as it is. Pure. */
import { columnsOf } from "../lib/columns.ts";
import { wrapText } from "../lib/wrap-text.ts";

/** State lines, frames, and commands to copy. */
const kept = /^(?:\[Orc\.|[┌│├└━]| *(?:mettle|envoy|git|cd|export) |.* git )/u;
/** How much further in than its line a text goes on. */
const hanging = 2;

export function wrapLines(text: string, columns: number): string {
  return text
    .split("\n")
    .flatMap((line) => (columnsOf(line) <= columns || kept.test(line) ? [line] : wrapped(line, columns)))
    .join("\n");
}

function wrapped(line: string, columns: number): readonly string[] {
  const indent = /^ */u.exec(line)?.[0] ?? "";
  const room = columns - indent.length - hanging;
  if (room < 20) return [line];
  const [first = "", ...rest] = wrapText(line.slice(indent.length), room);
  return [indent + first, ...rest.map((part) => `${indent}${" ".repeat(hanging)}${part}`)];
}
