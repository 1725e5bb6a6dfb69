import { readStatusLine } from "../protocol/wire/status-line.ts";

/** How an agent's verdict is read from text when it has no better channel: the last line `→CODE: message` (design 5). */
export interface TextReport {
  readonly status: string;
  readonly message: string;
  readonly payload?: unknown;
}

/** The report in the last visible line outside code fences, or null. A code quoted elsewhere is no decision. */
export function reportFromText(text: string): TextReport | null {
  const outside = text.replace(/^(```|~~~)[\s\S]*?^\1[^\S\n]*$/gmu, "\n");
  const last = outside.split("\n").findLast((line) => line.trim() !== "");
  const answer = readStatusLine(last ?? "");
  if (answer === null) return null;
  const payload = fencedJson(text);
  return { status: answer.code, message: answer.message, ...(payload === undefined ? {} : { payload }) };
}

/** The last fenced JSON block, for payloads that only text can carry. */
function fencedJson(text: string): unknown {
  const blocks = [...text.matchAll(/^```json[^\S\n]*\n([\s\S]*?)^```/gmu)];
  const last = blocks.at(-1)?.[1];
  if (last === undefined) return undefined;
  try {
    return JSON.parse(last);
  } catch {
    // Not JSON: the report stands without a payload and the role's schema decides.
    return undefined;
  }
}
