import { z } from "zod";
import { Words } from "./gate.ts";

export const Feedback = z.strictObject({
  user_required_changes: Words,
  /** Only of a variant. */
  rejected: z.boolean().optional(),
  question_answers: z.array(z.strictObject({ question: z.string(), answer: Words })).default([]),
});
export type Feedback = z.infer<typeof Feedback>;
