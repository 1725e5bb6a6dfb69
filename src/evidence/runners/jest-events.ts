import * as z from "zod";

const Thrown = z.object({ name: z.string(), code: z.string(), message: z.string(), stack: z.string() });

/** A test as written by jest-circus.mjs. */
const JestTest = z.object({
  path: z.array(z.string()),
  /** `done` for any result; `skip` and `todo`; any other value means that it never ran. */
  status: z.string(),
  failing: z.boolean(),
  /** Number of `expect` assertions that passed; null where none were counted. */
  asserts: z.number().nullable(),
  /** Its first error, of any attempt. */
  error: Thrown.extend({ isHook: z.boolean() }).nullable(),
});
export type JestTest = z.infer<typeof JestTest>;

/** The lines of jest-reporter.mjs. */
export const JestEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("file"),
    file: z.string(),
    /** Null when the file ended before its tests. */
    tests: z.array(JestTest).nullable(),
    unhandled: z.array(Thrown),
    /** Hooks that failed after their tests. */
    hooks: z.array(Thrown.extend({ suite: z.string() })),
    isFocused: z.boolean(),
    /** jest's error of the whole file. */
    error: z.object({ name: z.string(), message: z.string() }).nullable(),
  }),
  /** The process ends before these files are done. */
  z.object({ type: z.literal("exit"), files: z.array(z.string()) }),
]);
export type JestEvent = z.infer<typeof JestEvent>;
export type JestFile = Extract<JestEvent, { type: "file" }>;
