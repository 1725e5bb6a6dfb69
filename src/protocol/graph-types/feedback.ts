/** Types that the graph's specification does not define: feedback to a node, and failed children. */
import * as z from "zod";
import { FilePath, Int, Pair, Text, maybe } from "./notation.ts";

/**
 * An exit, a finding or an answer that leads back to a node: its type (`BlockedDependency`, `ScaffoldRefused`,
 * `Answer`), its fields as (name, text), and notes of the runtime (`exported by: db`).
 */
export const Feedback = z.strictObject({
  type: Text,
  fields: z.array(Pair),
  notes: maybe(z.array(Text)),
});
export type Feedback = z.infer<typeof Feedback>;

/** The report to a parent about a child that ended without a merge. */
export const MergeFailed = z.strictObject({
  childId: Text,
  reason: Text,
  details: Text,
  branch: Text,
  attempts: Int,
  partialCommit: maybe(Text),
  filesCreated: z.array(FilePath),
});
export type MergeFailed = z.infer<typeof MergeFailed>;

/** Converts a payload into feedback: texts verbatim, lists of texts joined by commas, everything else as JSON. */
export function feedbackOf(type: string, payload: object, notes: readonly string[] = []): Feedback {
  const fields = Object.entries(payload)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]): [string, string] => [name, fieldText(value)]);
  return { type, fields, ...(notes.length === 0 ? {} : { notes: [...notes] }) };
}

function fieldText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join(", ");
  return JSON.stringify(value);
}
