/** What was executed: records, tests and mutants. Only types. */
import type { VerdictWord } from "./verdict-model.ts";

export interface RecordModel {
  readonly id: string;
  readonly key: string;
  readonly phase: string | null;
  readonly purpose: string;
  readonly verdict: VerdictWord;
  /** It failed, and the passing record that contains it needs it to fail: RED, a canary. */
  readonly asItMust: boolean;
  /** `0`, `137 (SIGKILL)` or `none`. */
  readonly exit: string;
  readonly commit: string | null;
  readonly tree: string | null;
  readonly at: string;
  readonly failing: readonly string[];
  /** What only the record itself knows; null where it was not read or cannot be. */
  readonly run: ExecutedModel | null;
}

export interface ExecutedModel {
  readonly command: string;
  readonly runner: string | null;
  readonly isolation: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly counts: Readonly<Record<"passed" | "failed" | "skipped", number>>;
  readonly required: number;
  readonly controls: Readonly<Record<string, string>>;
  readonly reasons: readonly string[];
  /** The last lines of the output, at most twenty; none in old records of a run that has very many. */
  readonly lastLines: readonly string[];
  /** Address of the whole output. */
  readonly output: string;
  /** Ids of the records that this one contains. */
  readonly inner: readonly string[];
}

/**
 * Results by test id, one column for each run of the work's own tests. What tests the tests, such as a canary or changed
 * expectations, is a record and no run.
 */
export interface TestsModel {
  /** The runs of tests, oldest first, without the `earlier` ones of a run that has very many. */
  readonly runs: readonly TestRunModel[];
  readonly earlier: number;
  readonly rows: readonly TestRow[];
  /** Tests that are not in `rows`, since there are too many. */
  readonly cut: number;
}

export interface TestRunModel {
  readonly record: string;
  readonly purpose: string;
  readonly at: string;
  readonly commit: string | null;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface TestRow {
  readonly id: string;
  /** One letter for each run: `p` passed, `f` failed, `s` skipped, `-` not part of it. */
  readonly results: string;
  /** Whether a gate requires it. */
  readonly required: boolean;
}

export interface MutantsModel {
  /** One sentence for each measurement: `4 of 12 mutants noticed by tests`. */
  readonly words: readonly string[];
  readonly files: readonly MutatedFile[];
}

export interface MutatedFile {
  readonly path: string;
  /** Mutants that a test noticed; null in a run of a version that did not record it. */
  readonly noticed: number | null;
  readonly unnoticed: number;
  /** Tests that are missing, in words; not for every mutant if there are many. */
  readonly survivors: readonly string[];
}
