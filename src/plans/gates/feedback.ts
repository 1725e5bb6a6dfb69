import { z } from "zod";
import { OptionalText } from "./gate.ts";

export const Feedback = z.strictObject({
  user_required_changes: OptionalText,
  /** Only of a variant. */
  rejected: z.boolean().optional(),
  question_answers: z.array(z.strictObject({ question: z.string(), answer: OptionalText })).default([]),
});
export type Feedback = z.infer<typeof Feedback>;
