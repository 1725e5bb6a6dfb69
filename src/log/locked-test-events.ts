import * as z from "zod";

/** The tests that RED locked, and what of them an implementer does not see. */
export const lockedTestEvents = [
  z.object({
    type: z.literal("files.frozen"),
    commit: z.string(),
    files: z.record(z.string(), z.string()),
    required: z.array(z.string()),
  }),
  /** What the agent of a dispatch does not see of the locked tests (PRV-16). */
  z.object({
    type: z.literal("tests.withheld"),
    key: z.string(),
    share: z.number(),
    /** The commit with all tests, and the one that the agent starts from. */
    commit: z.string(),
    reduced: z.string(),
    tests: z.array(z.object({ id: z.string(), criterion: z.string() })),
    /** Files without a withheld test, and those of them that the agent does not have. */
    files: z.array(z.string()),
    gone: z.array(z.string()),
    /** Names of these tests that a criterion states too: they are no secret. */
    stated: z.array(z.string()),
    /** Chosen tests that it sees, because they could not be withheld. */
    shown: z.array(z.object({ id: z.string(), why: z.string() })),
  }),
] as const;
