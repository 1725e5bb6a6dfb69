/** A usage limit of an account (CORE-77). */
import * as z from "zod";

/** No agent of the account starts before `until`. */
export const accountPaused = z.object({
  type: z.literal("account.paused"),
  account: z.string(),
  /** Time in ISO 8601. */
  until: z.string(),
  why: z.string(),
  /** The dispatch whose agent reached the limit; null: this run only waits. */
  reachedBy: z.string().nullable(),
});
