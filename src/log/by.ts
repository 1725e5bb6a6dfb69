import { z } from "zod";

/** Who answered in a person's place, or as one. */
export const by = z.object({
  answeredBy: z.enum(["tty", "file", "session", "preapproved", "demo"]),
  authenticated: z.boolean(),
  who: z.string(),
});

export type By = z.infer<typeof by>;
