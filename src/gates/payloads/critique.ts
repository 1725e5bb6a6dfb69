/** What the architecture critic says beside its decision (TDP-11, TDP-12). */
import { z } from "zod";

export const Issue = z.object({ problem: z.string().trim().min(1), suggestion: z.string().trim().min(1) });
export type Issue = z.infer<typeof Issue>;

export const CritiquePayload = z.object({
  critique: z.string().default(""),
  issues: z.array(Issue).default([]),
});
export type CritiquePayload = z.infer<typeof CritiquePayload>;

/** REVISE without an issue says nothing that a designer could act on. */
export const RevisePayload = CritiquePayload.extend({
  issues: z.array(Issue).min(1, "REVISE needs at least one issue with its problem and a suggestion"),
});
