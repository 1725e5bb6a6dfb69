/** Text that every reader of a report accepts: well-formed Unicode, no control characters, of bounded length. */
import { excerptOf, stripControls } from "../../lib/text.ts";
import type { GateAnswer } from "../answer.ts";

/** The answer with readable texts in every field. */
export function readable(answer: GateAnswer): GateAnswer {
  return readableValue(answer) as GateAnswer;
}

function readableValue(value: unknown): unknown {
  if (typeof value === "string") return readableText(value);
  if (Array.isArray(value)) return value.map(readableValue);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, readableValue(inner)]));
}

/** @param maxChars at most this many characters, and a note of how many there were */
export function readableText(text: string, maxChars = 8000): string {
  const whole = excerptOf(text, maxChars);
  const cut = whole === text ? text : `${whole} [${text.length} characters]`;
  return stripControls(cut).replace(unpaired, "\uFFFD");
}

/** Halves of a surrogate pair, and the two code points that no XML may hold. */
const unpaired = /\p{Surrogate}|[\uFFFE\uFFFF]/gu;
