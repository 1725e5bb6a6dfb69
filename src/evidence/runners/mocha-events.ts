import * as z from "zod";

/** The lines of mocha-load.mjs and mocha-reporter.mjs. */
const MochaError = z.object({ name: z.string(), code: z.string(), message: z.string(), stack: z.string() });
export type MochaError = z.infer<typeof MochaError>;

const file = z.string().nullable();
const path = z.array(z.string());

export const MochaEvent = z.discriminatedUnion("type", [
  /** A loaded file, before the tests that it announces. */
  z.object({ type: z.literal("file"), file: z.string() }),
  z.object({ type: z.literal("unloaded"), file: z.string(), error: MochaError }),
  z.object({ type: z.literal("only"), file }),
  z.object({
    type: z.literal("test"),
    test: z.number(),
    file,
    path,
    state: z.enum(["run", "skip", "todo"]),
  }),
  z.object({
    type: z.literal("result"),
    test: z.number(),
    state: z.enum(["passed", "failed", "skipped", "todo"]),
    error: MochaError.nullable(),
  }),
  /** A failed hook; `path` is that of its suite. */
  z.object({ type: z.literal("hook"), file, path, title: z.string(), error: MochaError }),
  z.object({ type: z.literal("unhandled"), file, error: MochaError }),
  /** The process ends before the tests are done. */
  z.object({ type: z.literal("exit"), file }),
]);
export type MochaEvent = z.infer<typeof MochaEvent>;
export type MochaTest = Extract<MochaEvent, { type: "test" }>;
export type MochaHook = Extract<MochaEvent, { type: "hook" }>;
