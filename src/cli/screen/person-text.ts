/** A text for people as this output shows it: without control sequences, with blocks as wide as the terminal (SEE-02). */
import { hasColours } from "../../config/colours.ts";
import { printableText } from "../../lib/printable.ts";
import { fitBlocks } from "../../views/gate/fit-blocks.ts";
import { tinted } from "../../views/tint.ts";
import { wrapLines } from "../../views/wrap-lines.ts";
import { painted } from "./paint.ts";

/** Standard output or error; a pipe has no columns. */
export interface TextStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export function personText(text: string, stream: TextStream, isColoured = hasColours(stream)): string {
  const shown = stream.isTTY === true ? fitted(text, stream.columns ?? 80) : text;
  if (!isColoured) return printableText(shown);
  return shown
    .split("\n")
    .map((line) => painted(tinted(line), true))
    .join("\n");
}

function fitted(text: string, columns: number): string {
  return wrapLines(fitBlocks(text, columns), columns);
}
