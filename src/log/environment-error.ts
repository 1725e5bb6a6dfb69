/** The error and hint for a command that the environment stopped. */
import * as z from "zod";

export const EnvironmentError = z.object({
  key: z.string(),
  message: z.string(),
  hint: z.string(),
  /** Stack trace of an internal error. */
  stack: z.string().optional(),
  /** Why an agent is unavailable. */
  cause: z.enum(["missing", "auth", "rate_limited"]).optional(),
});
export type EnvironmentError = z.infer<typeof EnvironmentError>;
