/** How an agent's verdict is read from text when it has no better channel: the last line `→CODE: message` (design 5). */
import { readStatusLine } from "../notation/status-line.ts";
import { readFences, type Fences } from "./fences.ts";

export interface TextReport {
  readonly status: string;
  readonly message: string;
  readonly payload?: unknown;
}

/** Indented so far, a line is code in Markdown. */
const indented = /^(?: {4}| {0,3}\t)/u;
/** What stands in a template for the words to come. */
const placeholder = /^(?:message|<[^<>]*>|\{[^{}]*\}|…|\.{3})$/iu;

/** The report in the last visible line, or null. A code in a fence, in a quote or from a template is no decision. */
export function reportFromText(text: string): TextReport | null {
  const fences = readFences(text);
  const { lastLine, open } = fences;
  const line = open || lastLine === null || indented.test(lastLine) ? null : readStatusLine(lastLine);
  if (line === null || placeholder.test(line.message)) return null;
  const payload = lastJson(fences);
  return { status: line.code, message: line.message, ...(payload === undefined ? {} : { payload }) };
}

/** The last fenced JSON block, for payloads that only text can carry. */
function lastJson({ blocks }: Fences): unknown {
  const last = blocks.findLast(({ language }) => language === "json");
  if (last === undefined) return undefined;
  try {
    return JSON.parse(last.text);
  } catch {
    // Not JSON: the report stands without a payload and the role's schema decides.
    return undefined;
  }
}
