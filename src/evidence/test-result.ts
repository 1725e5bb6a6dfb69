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
export type FailureKind = NonNullable<TestResult["kind"]>;

/**
 * A fact outside single tests that forbids a pass.
 * `no_tests`: the file reported none (it holds none, or its process ended at once with exit 0).
 * `early_exit`: the file's process ended before its tests did. `killed`: a signal or the runner's pool ended it.
 * `tests_not_executed`: the project's own command runs these tests, and the report does not mention them. `interrupted`: the runner did not finish.
 * `unhandled`: an error outside any test. `only`: tests are selected by `.only`. `no_assertion`: a test asserts nothing.
 * `hook`: a hook failed after its tests had passed.
 */
export interface Problem {
  readonly code:
    | "no_tests"
    | "early_exit"
    | "killed"
    | "tests_not_executed"
    | "interrupted"
    | "unhandled"
    | "only"
    | "no_assertion"
    | "hook";
  /** Relative to the project; null where the runner does not say. */
  readonly file: string | null;
  readonly message: string;
}

/** What a compiler objects to. */
export interface CompileError {
  /** Relative to the project. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly message: string;
  /** All that the compiler says about it. */
  readonly words: string;
}

/** What a runner's parser makes of a finished process. */
export interface TestReport {
  /** False when the report is missing, cut off or unreadable: `tests` is then at most a part, for display. */
  readonly report: boolean;
  readonly tests: readonly TestResult[];
  /** Files that did not load: their tests are unknown. */
  readonly loadErrors: readonly { readonly file: string; readonly message: string }[];
  readonly problems: readonly Problem[];
  /** Where tests were not run because something does not compile. */
  readonly compileErrors?: readonly CompileError[];
}
