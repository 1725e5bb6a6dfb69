import { counted } from "../../lib/counted.ts";
import { uncovered } from "../suite/coverage-lines.ts";
import type { ReviewField, ReviewFormat } from "./review-formats.ts";
import { isInvisible, listItems, readReviewText, type ReviewText } from "./review-text.ts";

/**
 * Interprets a reviewer's answer (ORC-30, ORC-34, ORC-35). Strict: an answer that cannot be read exactly is inconclusive,
 * never an approval, and an approval that contradicts its own fields is NEEDS_WORK.
 */
export type Review =
  | {
      readonly type: "verdict";
      readonly verdict: "APPROVED" | "NEEDS_WORK";
      /** The outcome for the kernel: the verdict, with `.tests` when an issue of gate 3 is about the tests (ORC-19). */
      readonly outcome: "APPROVED" | "NEEDS_WORK" | "NEEDS_WORK.tests";
      /** `contradiction` when the reviewer wrote APPROVED; else empty. */
      readonly reason: "" | "contradiction";
      /** Every field except VERDICT, literally, in format order. */
      readonly fields: Readonly<Record<string, string>>;
      /** The required changes; empty for APPROVED. */
      readonly issues: readonly string[];
      /** Suggestions; with APPROVED also warnings. */
      readonly suggestions: readonly string[];
    }
  | { readonly type: "inconclusive"; readonly why: string }
  | { readonly type: "empty" };

export interface ReviewAnswer {
  /** The agent's final message. */
  readonly answer: string;
  /** Content of the review file, where the format has one and the agent wrote it. */
  readonly file?: string | null;
  /** The status of the `report` tool, if the agent called it. */
  readonly reported?: string | null;
}

/** Combines a reviewer's outputs into one review: the file is the review and must not contradict the report. */
export function readReview(given: ReviewAnswer, format: ReviewFormat): Review {
  const { answer, reported } = given;
  const file = given.file ?? "";
  if (isInvisible(file)) return parseReview(answer, format, reported);

  const read = readReviewText(answer, []);
  const others = [reported ?? null, read.decision, ...read.verdicts];
  for (const other of others) {
    const review = parseReview(file, format, other);
    if (review.type !== "verdict") return review;
  }
  return parseReview(file, format);
}

/** @param reported a verdict reported outside the text; a contradiction is inconclusive */
export function parseReview(text: string, format: ReviewFormat, reported?: string | null): Review {
  if (isInvisible(text)) return { type: "empty" };
  const names = format.fields.map(({ name }) => name);
  const read = readReviewText(text, names);
  const why = formatFault(read, format) ?? contradicting(read, reported);
  if (why !== null) return { type: "inconclusive", why };

  const fields = Object.fromEntries(names.map((name) => [name, read.fields[name]?.[0] ?? ""]));
  const contradictions = format.fields.flatMap((field) => contradiction(field, fields[field.name] ?? ""));
  const approved = read.verdicts[0] === "APPROVED" && contradictions.length === 0;
  const warnings = itemsOf(format, { fields, kinds: ["warnings"] });
  const advice = itemsOf(format, { fields, kinds: ["advice"] });
  if (approved)
    return {
      type: "verdict",
      verdict: "APPROVED",
      outcome: "APPROVED",
      reason: "",
      fields,
      issues: [],
      suggestions: [...warnings, ...advice],
    };

  const listed = itemsOf(format, { fields, kinds: ["issues", "security"] });
  const issues = [...contradictions, ...listed, ...warnings];
  return {
    type: "verdict",
    verdict: "NEEDS_WORK",
    outcome: format.gate === 3 && issues.some(isTestIssue) ? "NEEDS_WORK.tests" : "NEEDS_WORK",
    reason: read.verdicts[0] === "APPROVED" ? "contradiction" : "",
    fields,
    issues,
    suggestions: advice,
  };
}

/** An issue for the test writer: begins with `[tests]` or `TESTS:`, possibly after the id of an open finding. */
export function isTestIssue(issue: string): boolean {
  return /^(?:\[[^\]]*\]\s*)*(?:\[tests?\]|tests:)/i.test(issue);
}

function formatFault(read: ReviewText, format: ReviewFormat): string | null {
  const [verdict, ...more] = read.verdicts;
  if (verdict === undefined)
    return read.quoted.length > 0 ? "the only verdict is quoted" : "there is no line VERDICT:";
  if (more.length > 0) return `there are ${String(read.verdicts.length)} VERDICT lines`;
  if (verdict !== "APPROVED" && verdict !== "NEEDS_WORK")
    return `VERDICT is neither APPROVED nor NEEDS_WORK: ${excerpt(verdict)}`;
  if (verdict === "APPROVED" && read.quoted.includes("NEEDS_WORK"))
    return "VERDICT is APPROVED, and a quoted verdict is NEEDS_WORK";
  for (const { name } of format.fields) {
    const count = read.fields[name]?.length ?? 0;
    if (count === 0) return `the field ${name} is missing`;
    if (count > 1) return `the field ${name} appears ${counted(count, "time")}`;
  }
  for (const field of format.fields) {
    const value = read.fields[field.name]?.[0] ?? "";
    if (value === field.placeholder) return `the field ${field.name} was not filled in`;
    const wrong = wrongValue(field, value);
    if (wrong !== null) return `${field.name} is not ${wrong}: ${excerpt(value)}`;
  }
  return null;
}

function contradicting(read: ReviewText, reported: string | null | undefined): string | null {
  const verdict = read.verdicts[0] ?? "";
  for (const other of [reported ?? null, read.decision]) {
    const word = other?.split(".")[0];
    if ((word === "APPROVED" || word === "NEEDS_WORK") && word !== verdict)
      return `the review says ${verdict}, the report says ${word}`;
  }
  return null;
}

/** The expected form of the value; null when it is correct. */
function wrongValue(field: ReviewField, value: string): string | null {
  switch (field.kind) {
    case "yes-no":
      return /^(?:YES|NO)$/.test(value) ? null : "YES or NO";
    case "yes-no-list":
      return /^(?:YES|NO|NO\b[^\p{L}\p{N}][\s\S]*)$/u.test(value) ? null : "YES, or NO with what is missing";
    case "exit-code":
      return /^(?:-?\d+(?: \([A-Z0-9]+\))?|UNVERIFIED)$/.test(value) ? null : "a number or UNVERIFIED";
    case "coverage":
    case "issues":
    case "critical":
    case "security":
    case "warnings":
    case "advice":
    case "text":
      return null;
  }
}

/** The items of a field that contradict an approval. */
function contradiction(field: ReviewField, value: string): readonly string[] {
  switch (field.kind) {
    case "yes-no":
      return value === "NO" ? [`${field.name}: NO`] : [];
    case "yes-no-list":
      return value === "YES" ? [] : [`${field.name}: ${value.replaceAll(/\s*\n\s*/g, " ")}`];
    case "coverage":
      return uncovered(value).map((line) => `not covered: ${line}`);
    case "critical":
      return listItems(value);
    case "exit-code":
    case "issues":
    case "security":
    case "warnings":
    case "advice":
    case "text":
      return [];
  }
}

function itemsOf(
  format: ReviewFormat,
  of: { readonly fields: Readonly<Record<string, string>>; readonly kinds: readonly ReviewField["kind"][] },
): readonly string[] {
  return format.fields
    .filter(({ kind }) => of.kinds.includes(kind))
    .flatMap(({ name }) => listItems(of.fields[name] ?? ""));
}

function excerpt(value: string): string {
  const line = value.replaceAll(/\s+/g, " ");
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
