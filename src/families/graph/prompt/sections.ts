/** The sections below a node's template: feedback, and how to report. */
import type { Feedback } from "../../../protocol/graph-types/feedback.ts";

/** Empty without feedback. */
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
