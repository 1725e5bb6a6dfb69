/** Reads an agent's decision from its text, if it has no other channel: the last line `→CODE: message`. */
import { readStatusLine } from "../notation/status-line.ts";
import { readFences, type Fences } from "./fences.ts";

export interface TextReport {
  readonly status: string;
  readonly message: string;
  readonly payload?: unknown;
}

/** A line with this indent is code in Markdown. */
const indented = /^(?: {4}| {0,3}\t)/u;
/** Placeholders that templates have in place of the message. */
const placeholder = /^(?:message|<[^<>]*>|\{[^{}]*\}|…|\.{3})$/iu;

/** The report in the last visible line, or null. A code in a fence, in a quote or in a template is not a decision. */
export function reportFromText(text: string): TextReport | null {
  const fences = readFences(text);
  const { lastLine, open } = fences;
  const line = open || lastLine === null || indented.test(lastLine) ? null : readStatusLine(lastLine);
  if (line === null || placeholder.test(line.message)) return null;
  const payload = lastJson(fences);
  return { status: line.code, message: line.message, ...(payload === undefined ? {} : { payload }) };
}

/** The payload: the last fenced JSON block. */
function lastJson({ blocks }: Fences): unknown {
  const last = blocks.findLast(({ language }) => language === "json");
  if (last === undefined) return undefined;
  try {
    return JSON.parse(last.text);
  } catch {
    // Not JSON: the report has no payload, and the role's schema decides.
    return undefined;
  }
}
