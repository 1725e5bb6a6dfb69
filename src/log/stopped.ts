/** Of a command that the environment stopped: what the error says, and what to do. */
import { z } from "zod";

export const Stopped = z.object({
  key: z.string(),
  message: z.string(),
  hint: z.string(),
  /** Where it was, of a fault of ours. */
  stack: z.string().optional(),
  /** Why an agent could not be used. */
  cause: z.enum(["missing", "auth", "rate_limited"]).optional(),
});
export type Stopped = z.infer<typeof Stopped>;
