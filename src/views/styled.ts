/** Lines for a terminal as data: texts with a tone, which the output paints where it has colours. Pure. */
import { columnsOf } from "../lib/columns.ts";

/** `dim` is for secondary facts, the colours only for a verdict. */
export type Tone = "good" | "bad" | "warn" | "dim" | "strong";

export interface Span {
  readonly text: string;
  readonly tone?: Tone;
}

export type StyledLine = readonly Span[];

/** Filled with blanks, or cut with `…`, to exactly this width; a wide character counts as two columns. */
export function cell(text: string, width: number, align: "left" | "right" = "left"): string {
  const cut = cutTo(text, width);
  const blanks = " ".repeat(Math.max(0, width - columnsOf(cut)));
  return align === "left" ? cut + blanks : blanks + cut;
}

/** At most so many columns; what is cut ends with `…`. */
export function cutTo(text: string, width: number): string {
  if (columnsOf(text) <= width) return text;
  let cut = "";
  for (const { segment } of letters.segment(text)) {
    if (columnsOf(cut + segment) > width - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}

const letters = new Intl.Segmenter("en", { granularity: "grapheme" });
