/** Draws the blocks of a text again for another width: a text that was journaled with a block of 80 columns fits every terminal. Pure. */
import { drawFrame, goesOn, title, type BodyLine } from "./execution-block.ts";

/** The least width of a block with its bars. */
const minColumns = 40;

/** @param columns of the terminal; a narrower one than 40 gets blocks of 40 */
export function fitBlocks(text: string, columns: number): string {
  if (!text.includes("┌─")) return text;
  return text.replaceAll(frame, (drawn) => {
    const body = bodyOf(drawn.split("\n").slice(1, -1));
    return body === null ? drawn : drawFrame(body, Math.max(minColumns, columns));
  });
}

/** A whole frame at the begin of a line. Its rows cannot hold another one, since an inner block has no frame. */
const frame = /^┌─{30,}┐\n(?:│ [^\n]*│\n|├─{30,}┤\n)+└─{30,}┘$/gmu;

/** The lines of a block without its frame; null if it is another kind of box. */
function bodyOf(drawn: readonly string[]): readonly BodyLine[] | null {
  const [first = "", ...rows] = drawn.filter((row) => !row.startsWith("├")).map((row) => row.slice(2, -1));
  if (first.trimEnd() !== title) return null;
  const body: BodyLine[] = [{ depth: 0, text: title }];
  let depth = 0;
  for (const [index, row] of rows.entries()) {
    const last = body.at(-1);
    const text = row.trimStart();
    if (text.startsWith(goesOn) && last !== undefined) {
      body[body.length - 1] = { ...last, text: last.text + text.slice(goesOn.length).trimEnd() };
      continue;
    }
    if (isTitle(row, depth + 1) && (rows[index + 1] ?? "").trimStart().startsWith("$ ")) depth += 1;
    const indent = row.startsWith("  ".repeat(depth)) ? depth : 0;
    body.push({
      depth: indent,
      text: row
        .slice(2 * indent)
        .trimEnd()
        .replace(/^↪↪/u, "↪"),
    });
    if (depth > 0 && /^\[TIMESTAMP: [\d :-]+\]$/u.test(text.trimEnd())) depth -= 1;
  }
  return body;
}

function isTitle(row: string, depth: number): boolean {
  return row.trimEnd() === "  ".repeat(depth) + title;
}
