import { z } from "zod";

/** One test as every runner's parser reports it (CORE-17). */
export const TestResult = z.object({
  /** `file::suite::title`, with `#n` from the second test of the same name; file relative to the project. */
  id: z.string(),
  status: z.enum(["passed", "failed", "skipped", "todo", "pending"]),
  /** Null for a passed, skipped or todo test. */
  kind: z
    .enum(["assertion", "not-implemented", "other-throw", "load", "timeout", "hook", "crash"])
    .nullable(),
  message: z.string(),
  /** Stack frames of the project's own files, `path:line:column`, innermost first. */
  frames: z.array(z.string()),
});
export type TestResult = z.infer<typeof TestResult>;

/** What a runner's parser makes of a finished process. `report: false`: no readable report, so nothing is known. */
export interface TestReport {
  readonly report: boolean;
  readonly tests: readonly TestResult[];
  /** Files that did not load: their tests are unknown. */
  readonly loadErrors: readonly { readonly file: string; readonly message: string }[];
  /** Facts outside single tests that forbid a pass: unhandled rejection, `.only`, killed worker, empty file … */
  readonly problems: readonly string[];
}
