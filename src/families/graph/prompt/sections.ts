/** The parts of a node's prompt that stand below its template: what came back to it, and how a decision is given. */
import type { Feedback } from "../../../protocol/graph-types/added.ts";

/** Empty where there is nothing to tell. */
export function feedbackSection(title: string, feedback: readonly Feedback[]): string {
  if (feedback.length === 0) return "";
  const parts = feedback.map(({ type, fields, notes }) =>
    [`### ${type}`, ...fields.map(fieldLine), ...(notes ?? []).map((note) => `- ${note}`)].join("\n"),
  );
  return [`## ${title}`, ...parts].join("\n\n");
}

export function reportSection(codes: string): string {
  return [
    "## How to report",
    "",
    "End by calling the tool `report` with `status`, `message` and `payload`. Without that tool, write the payload as one",
    "fenced JSON block and then, as your last line, `→STATUS: message`.",
    "",
    `Status codes: ${codes}`,
  ].join("\n");
}

function fieldLine([name, value]: readonly [string, string]): string {
  if (!value.includes("\n")) return `- ${name}: ${value}`;
  const lines = value.split("\n").map((line) => `  ${line}`);
  return [`- ${name}:`, ...lines].join("\n");
}
