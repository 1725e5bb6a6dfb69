/** Styled lines as text for an output with or without colours. What agents and tests wrote cannot colour or move anything. */
import { styleText } from "node:util";
import { printableText } from "../../lib/printable.ts";
import type { StyledLine, Tone } from "../../views/styled.ts";

const formats = {
  good: "green",
  bad: "red",
  warn: "yellow",
  dim: "dim",
  strong: "bold",
} as const satisfies Readonly<Record<Tone, string>>;

export function painted(line: StyledLine, hasColours: boolean): string {
  const parts = line.map(({ text, tone }) => {
    const clean = printableText(text);
    return tone === undefined || !hasColours ? clean : styleText(formats[tone], clean, always);
  });
  // Trailing blanks of columns are not part of a line.
  return hasColours ? parts.join("") : parts.join("").trimEnd();
}

/** Whether there are colours is decided before, by one rule. */
const always = { validateStream: false } as const;
