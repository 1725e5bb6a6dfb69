import { screenLines } from "../../scripts/pictures/screen.mjs";
import { columnsOf } from "../../src/lib/columns.ts";

/** The lines that a terminal shows after these bytes; a part with a tone is `‹green:✓›`. */
export function screenOf(bytes: string, columns: number): readonly string[] {
  return screenLines(bytes, columns, columnsOf).map((parts) =>
    parts
      .map(({ text, tone }) => (tone === "" ? text : `‹${tone}:${text}›`))
      .join("")
      .trimEnd(),
  );
}
