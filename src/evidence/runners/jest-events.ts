import { z } from "zod";

const Thrown = z.object({ name: z.string(), code: z.string(), message: z.string(), stack: z.string() });

/** A test as jest-circus.mjs keeps it. */
const JestTest = z.object({
  path: z.array(z.string()),
  /** `done` whatever came of it; `skip` and `todo`; anything else never ran. */
  status: z.string(),
  failing: z.boolean(),
  /** Assertions of `expect` that held; null where nobody counted. */
  asserts: z.number().nullable(),
  /** What it threw first, in whatever try. */
  error: Thrown.extend({ isHook: z.boolean() }).nullable(),
});
export type JestTest = z.infer<typeof JestTest>;

/** What jest-reporter.mjs writes, line by line. */
export const JestEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("file"),
    file: z.string(),
    /** Null when the file did not come to its tests. */
    tests: z.array(JestTest).nullable(),
    unhandled: z.array(Thrown),
    /** Hooks that failed after their tests. */
    hooks: z.array(Thrown.extend({ suite: z.string() })),
    isFocused: z.boolean(),
    /** What jest says of the whole file. */
    error: z.object({ name: z.string(), message: z.string() }).nullable(),
  }),
  /** The process ends, and these files are not done. */
  z.object({ type: z.literal("exit"), files: z.array(z.string()) }),
]);
export type JestEvent = z.infer<typeof JestEvent>;
export type JestFile = Extract<JestEvent, { type: "file" }>;
