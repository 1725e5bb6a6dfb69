import * as z from "zod";

/** The report of vitest-reporter.mjs. */
const VitestError = z.object({
  name: z.string(),
  code: z.string(),
  message: z.string(),
  stack: z.string(),
  /** Parsed by vitest, with source maps applied. */
  frames: z.array(z.object({ file: z.string(), line: z.number(), column: z.number() })),
});
export type VitestError = z.infer<typeof VitestError>;

const VitestTest = z.object({
  type: z.literal("test"),
  name: z.string(),
  mode: z.string(),
  state: z.enum(["passed", "failed", "skipped", "pending"]),
  fails: z.boolean(),
  retries: z.number(),
  /** A hook of this test started and did not pass. */
  hook: z.boolean(),
  errors: z.array(VitestError),
});
export type VitestTest = z.infer<typeof VitestTest>;

interface VitestSuite {
  type: "suite";
  name: string;
  errors: VitestError[];
  children: VitestNode[];
}
export type VitestNode = VitestTest | VitestSuite;

const VitestNode: z.ZodType<VitestNode> = z.lazy(() =>
  z.union([
    VitestTest,
    z.object({
      type: z.literal("suite"),
      name: z.string(),
      errors: z.array(VitestError),
      children: z.array(VitestNode),
    }),
  ]),
);

export const VitestReport = z.object({
  version: z.literal(1),
  reason: z.string(),
  unhandled: z.array(VitestError.extend({ file: z.string() })),
  modules: z.array(
    z.object({ file: z.string(), errors: z.array(VitestError), children: z.array(VitestNode) }),
  ),
});
export type VitestReport = z.infer<typeof VitestReport>;
