/** The changes that the architecture critic requests (TDP-12). */
import * as z from "zod";

export const Issue = z.object({ problem: z.string().trim().min(1), suggestion: z.string().trim().min(1) });
export type Issue = z.infer<typeof Issue>;

/** REVISE requires an issue, else a designer has nothing to act on. */
export const RevisePayload = z.object({
  issues: z.array(Issue).min(1, "REVISE needs at least one issue with its problem and a suggestion"),
});
export type RevisePayload = z.infer<typeof RevisePayload>;
