/** A text for people as this output shows it: without control sequences, with blocks as wide as the terminal (SEE-02). */
import { hasColours } from "../../config/colours.ts";
import { printableText } from "../../lib/printable.ts";
import { fitBlocks } from "../../views/gate/fit-blocks.ts";
import type { StyledLine } from "../../views/styled.ts";
import { tinted } from "../../views/tint.ts";
import { wrapLines } from "../../views/wrap-lines.ts";
import { painted } from "./paint.ts";

/** Standard output or error; a pipe has no columns. */
export interface TextStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export function personText(text: string, stream: TextStream, isColoured = hasColours(stream)): string {
  const columns = stream.isTTY === true ? (stream.columns ?? 80) : null;
  const whole = columns === null ? text : fitBlocks(text, columns);
  if (!isColoured) return printableText(columns === null ? whole : wrapLines(whole, columns));
  return whole
    .split("\n")
    .flatMap((line) => styledLines(line, columns))
    .map((line) => painted(line, true))
    .join("\n");
}

/** What a line of text is in a terminal of this width. @param columns null: it is not wrapped */
export function styledLines(line: string, columns: number | null): readonly StyledLine[] {
  return wrapped(tinted(line), columns);
}

/** Wraps a line of one tone, which its parts keep; others stay as they are. */
export function wrapped(line: StyledLine, columns: number | null): readonly StyledLine[] {
  const [span] = line;
  if (columns === null || line.length !== 1 || span === undefined) return [line];
  return wrapLines(span.text, columns)
    .split("\n")
    .map((text) => [{ ...span, text }]);
}
