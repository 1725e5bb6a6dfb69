import * as z from "zod";

/** Who answered: a person, or something on a person's behalf. */
export const by = z.object({
  answeredBy: z.enum(["tty", "file", "session", "preapproved", "demo", "page"]),
  authenticated: z.boolean(),
  who: z.string(),
  /** How the store knows the person: by its user, or by a token (SCL-09). Missing: the user of the operating system. */
  as: z.enum(["store", "token"]).optional(),
  /** In the page, if no sandbox kept the agents from it: one of them could have answered (SEE-07). */
  unguarded: z.literal(true).optional(),
});

export type By = z.infer<typeof by>;
