/** What the graph's specification is silent on: how a node is told what came back to it, and what became of a child. */
import { z } from "zod";
import { FilePath, Int, Pair, Text, maybe } from "./notation.ts";

/**
 * An exit, a finding or an answer that leads to a node again: its type (`BlockedDependency`, `ScaffoldRefused`,
 * `Answer`), every field of it as (name, text), and what the runtime knows besides (`exported by: db`).
 */
export const Feedback = z.strictObject({
  type: Text,
  fields: z.array(Pair),
  notes: maybe(z.array(Text)),
});
export type Feedback = z.infer<typeof Feedback>;

/** A child that ended without a merge, as its parent hears of it. */
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

/** Any payload as feedback: texts as they are, lists of texts by comma, everything else as JSON. */
export function feedbackOf(type: string, payload: object, notes: readonly string[] = []): Feedback {
  const fields = Object.entries(payload)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]): [string, string] => [name, told(value)]);
  return { type, fields, ...(notes.length === 0 ? {} : { notes: [...notes] }) };
}

function told(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join(", ");
  return JSON.stringify(value);
}
