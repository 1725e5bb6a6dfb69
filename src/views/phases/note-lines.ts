/** What is printed below the line of a phase: reasons as a list, remarks in the background. Pure. */
import { columnsOf } from "../../lib/columns.ts";
import { wrapText } from "../../lib/wrap-text.ts";
import type { StyledLine } from "../styled.ts";
import type { PhaseNote } from "./phase-note.ts";

const maxReasons = 12;
const indent = "     ";

/** @param columns null: lines are not wrapped */
export function noteLines(notes: readonly PhaseNote[], columns: number | null): readonly StyledLine[] {
  const reasons = notes.filter(({ isReason }) => isReason).flatMap(({ text }) => text.split("\n"));
  const remarks = notes.filter(({ isReason }) => !isReason).flatMap(({ text }) => text.split("\n"));
  const more = reasons.length - maxReasons;
  return [
    ...reasons
      .slice(0, maxReasons)
      .flatMap((text) => wrapped(`- ${text}`, columns))
      .map((text) => [{ text }]),
    ...(more > 0 ? [[{ text: `${indent}… and ${more} more` }]] : []),
    ...[...new Set(remarks)]
      .flatMap((text) => wrapped(text, columns))
      .map((text) => [{ text, tone: "dim" as const }]),
  ];
}

function wrapped(text: string, columns: number | null): readonly string[] {
  const room = columns === null ? columnsOf(text) : columns - indent.length - 2;
  const [first = "", ...rest] = wrapText(text, Math.max(20, room));
  return [indent + first, ...rest.map((line) => `${indent}  ${line}`)];
}
