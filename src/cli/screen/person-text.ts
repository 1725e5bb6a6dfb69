/** A text for people as this output shows it: without control sequences, with blocks as wide as the terminal (SEE-02). */
import { printableText } from "../../lib/printable.ts";
import { fitBlocks } from "../../views/gate/fit-blocks.ts";

/** Standard output or error; a pipe has no columns. */
export interface TextStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export function personText(text: string, { isTTY, columns }: TextStream): string {
  return printableText(isTTY === true ? fitBlocks(text, columns ?? 80) : text);
}
