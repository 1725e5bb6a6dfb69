/** Validates a structured answer, for agents whose program does not validate it (CORE-51). */
import * as z from "zod";
import { issueText } from "../lib/plain-issues.ts";

export type StructuredAnswer =
  { readonly type: "ok"; readonly value: unknown } | { readonly type: "failed"; readonly why: string };

/** @param schema JSON Schema */
export function structuredAnswer(text: string, schema: unknown): StructuredAnswer {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { type: "failed", why: "it answered with text, but a JSON answer was required" };
  }
  const read = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(value);
  if (read.success) return { type: "ok", value };
  const [issue] = read.error.issues;
  const where = issue === undefined ? "unknown fault" : issueText(issue, "the answer");
  return { type: "failed", why: `its answer does not match the required schema: ${where}` };
}
