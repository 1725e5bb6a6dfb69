/** What the architecture critic wants changed (TDP-12). */
import { z } from "zod";

export const Issue = z.object({ problem: z.string().trim().min(1), suggestion: z.string().trim().min(1) });
export type Issue = z.infer<typeof Issue>;

/** REVISE without an issue says nothing that a designer could act on. */
export const RevisePayload = z.object({
  issues: z.array(Issue).min(1, "REVISE needs at least one issue with its problem and a suggestion"),
});
export type RevisePayload = z.infer<typeof RevisePayload>;
