import * as z from "zod";
import { by } from "./by.ts";

/** What a person did to a run, besides answers to its asks. */
export const personEvents = [
  /** A person accepted a base with these failing tests. */
  z.object({ type: z.literal("base.accepted"), failing: z.array(z.string()), count: z.number(), by }),
  /** A person accepted changes of these old tests: their old versions need not pass. */
  z.object({
    type: z.literal("tests.accepted"),
    tests: z.array(z.string()),
    by,
    reason: z.string().optional(),
  }),
  z.object({ type: z.literal("run.aborted"), reason: z.string(), by: by.optional() }),
  /** The process that drives the run stops, as by Ctrl-C; `mettle resume` goes on. */
  z.object({ type: z.literal("run.paused"), by }),
  /** It goes on; the agents that work next read the text, if there is one. */
  z.object({ type: z.literal("run.resumed"), by, text: z.string().optional() }),
] as const;
