import * as z from "zod";

/** The fields that every line of node-test-reporter.mjs has. */
const Named = {
  file: z.string().nullable(),
  name: z.string(),
  nesting: z.number().int().nonnegative(),
};

const NodeTestFailure = z.object({
  /** node's `failureType`. */
  type: z.string(),
  exitCode: z.number().nullable(),
  signal: z.string().nullable(),
  name: z.string(),
  code: z.string(),
  message: z.string(),
  stack: z.string(),
});
export type NodeTestFailure = z.infer<typeof NodeTestFailure>;

const Result = { ...Named, suite: z.boolean(), skip: z.boolean(), todo: z.boolean() };

export const NodeTestEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("enqueue"), ...Named }),
  z.object({ type: z.literal("dequeue"), ...Named }),
  z.object({ type: z.literal("start"), ...Named }),
  z.object({ type: z.literal("pass"), ...Result }),
  z.object({ type: z.literal("fail"), ...Result, error: NodeTestFailure, stderr: z.string() }),
  z.object({ type: z.literal("diagnostic"), file: z.string().nullable(), message: z.string() }),
]);
export type NodeTestEvent = z.infer<typeof NodeTestEvent>;
export type ResultEvent = Extract<NodeTestEvent, { type: "pass" | "fail" }>;
export type FailEvent = Extract<NodeTestEvent, { type: "fail" }>;

/** All events of one file, in report order. */
export interface FileEvents {
  /** Relative to the project. */
  readonly file: string;
  /** Absolute path of node's working folder. */
  readonly folder: string;
  readonly events: readonly NodeTestEvent[];
}
