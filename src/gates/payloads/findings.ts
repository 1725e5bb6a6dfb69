/** The findings of a reviewer of tests, implementation or plan (TDP-23, TDP-30). */
import * as z from "zod";

const Findings = z.object({ findings: z.array(z.string().trim().min(1)).min(1) });

/** The findings of a report: those of its payload, else its message. */
export function findingsOf({
  payload,
  message,
}: {
  readonly payload?: unknown;
  readonly message: string;
}): readonly string[] {
  const read = Findings.safeParse(payload);
  if (read.success) return read.data.findings;
  return message.trim() === "" ? [] : [message];
}
