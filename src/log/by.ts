import * as z from "zod";

/** Who answered: a person, or something on a person's behalf. */
export const by = z.object({
  answeredBy: z.enum(["tty", "file", "session", "preapproved", "demo"]),
  authenticated: z.boolean(),
  who: z.string(),
});

export type By = z.infer<typeof by>;
