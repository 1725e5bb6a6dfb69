import * as z from "zod";

/** One test, as the parser of every runner reports it (CORE-17). */
export const TestResult = z.object({
  /** `file::suite::title`, with `#n` from the second test of the same name; the file is relative to the project. */
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
 * A fact outside of single tests that prevents a pass.
 * `no_tests`: the file reported no test (it holds none, or its process exited at once with 0).
 * `early_exit`: the file's process ended before its tests. `killed`: a signal or the runner's pool ended it.
 * `tests_not_executed`: the project's own command runs these tests and the report does not mention them.
 * `interrupted`: the runner did not finish. `unhandled`: an error outside of any test. `only`: `.only` selects tests.
 * `no_assertion`: a test asserts nothing. `hook`: a hook failed after its tests passed.
 */
export interface TestProblem {
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
  /** Relative to the project; null where the runner does not name it. */
  readonly file: string | null;
  readonly message: string;
}

/** An error of a compiler. */
export interface CompileError {
  /** Relative to the project. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly message: string;
  /** The compiler's whole output about it. */
  readonly words: string;
}

/** A finished process, parsed by its runner. */
export interface TestReport {
  /** False when the report is missing, truncated or unreadable: `tests` is then incomplete, for display only. */
  readonly report: boolean;
  readonly tests: readonly TestResult[];
  /** Files that did not load; their tests are unknown. */
  readonly loadErrors: readonly { readonly file: string; readonly message: string }[];
  readonly problems: readonly TestProblem[];
  /** Present where a compile error prevented tests from running. */
  readonly compileErrors?: readonly CompileError[];
}
