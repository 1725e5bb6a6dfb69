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

/** A wrapped line keeps its tone. */
function styledLines(line: string, columns: number | null): readonly StyledLine[] {
  const styled = tinted(line);
  const [span] = styled;
  if (columns === null || styled.length !== 1 || span === undefined) return [styled];
  return wrapLines(line, columns)
    .split("\n")
    .map((text) => [{ ...span, text }]);
}
