/**
 * Reads the lines of a reviewer's answer and separates the reviewer's own fields from quoted ones. Knows no format;
 * `review.ts` interprets the fields.
 */
import { fenceReader, fencesOf } from "../../lib/markdown.ts";
export interface ReviewText {
  /** Values of the reviewer's own lines `VERDICT: …`, in order. */
  readonly verdicts: readonly string[];
  /** Verdicts in a fence, a quotation or a sentence. */
  readonly quoted: readonly string[];
  /** Field name -> its literal values; several when the field is repeated. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** The code of a last line `→CODE: message`; null where there is none. */
  readonly decision: string | null;
}

export function readReviewText(text: string, names: readonly string[]): ReviewText {
  const { lines, decision } = withoutDecision(text.replace(/^\uFEFF/, "").split(/\r?\n/));
  const verdicts: string[] = [];
  const quoted: string[] = [];
  const fields: Record<string, string[]> = {};
  let values: string[] | null = null;
  const read = fenceReader();
  for (const line of withoutOuterFence(lines)) {
    const label = read(line).role !== null ? null : labelOf(line, ["VERDICT", ...names]);
    if (label === null) {
      const value = /\bVERDICT\b\W{0,8}(APPROVED|NEEDS_WORK)\b/.exec(line)?.[1];
      if (value !== undefined) quoted.push(value);
      appendLine(values, line);
      continue;
    }
    if (label.name === "VERDICT") {
      verdicts.push(label.value.trim());
      values = null;
      continue;
    }
    values = fields[label.name] ??= [];
    values.push(label.value);
  }
  return { verdicts, quoted, fields: trimmed(fields), decision };
}

/** The items of a list field; `none` and similar words give no item. */
export function listItems(value: string): readonly string[] {
  const lines = value.split("\n").filter((line) => line.trim() !== "");
  const marked = lines.some((line) => itemMark.test(line));
  const items: string[] = [];
  for (const line of lines) {
    const starts = itemMark.test(line) || !marked || items.length === 0;
    if (starts) items.push(line.replace(itemMark, "").trim());
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
  }
  return items.filter((item) => !isNothing(item));
}

/** Contains no visible character (ORC-78). */
export function isInvisible(text: string): boolean {
  return !/[\p{L}\p{N}\p{P}\p{S}]/u.test(text.replaceAll(/[\u2800\u3164\u115F\u1160\uFFA0]/g, ""));
}

const itemMark = /^\s*(?:[-*+•]|\d+[.)])\s+/;

function isNothing(item: string): boolean {
  const words = item
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  return /^(?:|none|none found|n a|na|nothing|no (?:critical |security |open |further )?(?:issues|problems|vulnerabilities|warnings|suggestions)(?: found)?)$/.test(
    words,
  );
}

function withoutDecision(lines: readonly string[]): { lines: readonly string[]; decision: string | null } {
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const code = /^\s*→\s*([A-Za-z_]+(?:\.[a-z_]+)?)\s*(?::|$)/.exec(lines[last] ?? "")?.[1];
  return code === undefined ? { lines, decision: null } : { lines: lines.slice(0, last), decision: code };
}

/** A fence wraps the whole answer only if its first closing line is the last line. */
function withoutOuterFence(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const fences = fencesOf(lines.slice(first, last + 1));
  const end = fences.findIndex(({ role }) => role === "closes");
  const isAround = fences[0]?.role === "opens" && end === last - first;
  return isAround ? lines.slice(first + 1, last) : lines;
}

function labelOf(line: string, names: readonly string[]): { name: string; value: string } | null {
  const match = /^ {0,3}([A-Z_]+):(.*)$/.exec(line);
  const name = match?.[1] ?? "";
  return match && names.includes(name) ? { name, value: match[2] ?? "" } : null;
}

function appendLine(values: string[] | null, line: string): void {
  const value = values?.pop();
  if (value !== undefined) values?.push(`${value}\n${line}`);
}

function trimmed(
  fields: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, values]) => [name, values.map((value) => value.trim())]),
  );
}
