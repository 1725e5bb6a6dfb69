/** The facts by which a RED commit is judged. */
import type { TitleParts } from "../../source/flip/script-tables.ts";
import type { Unit } from "./red-reason.ts";
import type { AuthorNote } from "./author-notes.ts";
import type { NewSnapshot } from "../suite/stored-snapshots.ts";
import type { DisputeFacts } from "../review/dispute.ts";

import type { Surrounding } from "../suite/surrounding-result.ts";
import type { NullStubs } from "./null-stub-results.ts";
import type { WeakTestOfFile } from "../../source/cannot-fail/weak-tests.ts";
import type { PathRules } from "../../source/paths.ts";
import { statusOf, type Suite } from "../suite/suite.ts";
import type { SourceMark } from "../../source/test-marks-javascript.ts";
import type { Finding } from "../verdict.ts";

export interface RedFacts {
  /** Paths changed between base and head. */
  readonly changed: readonly string[];
  /** Changed links and submodules that lead out of the tree. */
  readonly links: readonly string[];
  readonly rules: PathRules;
  /** The only test paths that may change, besides fixtures; without it, all test paths. */
  readonly declared?: readonly string[] | undefined;
  /** Hint for a module that does not exist; default: a plan may name it. */
  readonly missingFileHint?: string | undefined;
  /** Null where no criteria were given: they are not checked. */
  readonly criteria: readonly string[] | null;
  readonly plan: Readonly<Record<string, readonly string[]>>;
  readonly baseline: Suite;
  /** All tests of head; `confirm` repeats the run where an old test failed in the first. */
  readonly first: Suite;
  readonly confirm: Suite | null;
  /** The changed test files again, shuffled; null where there was nothing to repeat. */
  readonly second: Suite | null;
  /** Marks in the text of the changed test files that were not on the base. */
  readonly marks: readonly SourceMark[];
  /** New tests whose snapshot is not stored. */
  readonly unstored?: readonly NewSnapshot[];
  /** Tests whose text shows that they cannot fail; absent where the settings switch this off. */
  readonly weak?: WeakTests | undefined;
  readonly unit: Unit;
  readonly stubs: readonly { readonly path: string; readonly names: readonly string[] }[];
  /** The authors' reasons for tests that pass already. */
  readonly passNotes?: readonly AuthorNote[];
  /** The authors' reasons for tests that assert nothing and must only not throw. */
  readonly mustNotThrow?: readonly AuthorNote[];
  /** Tables of tests in changed scripts. */
  readonly tables?: readonly TestTable[];
  /** Ids that a person accepted: changed old tests, and new tests that pass. */
  readonly accepted?: readonly string[] | undefined;
  /** The command that accepts a test; default that of a run. */
  readonly accepting?: string | undefined;
  /** The commit combines the tests of a change with its base: any path may change. */
  readonly composed?: boolean | undefined;
  /** New tests may pass: mutants prove those (PRV-11). */
  readonly characterize?: boolean | undefined;
  /** New tests may pass beside others that fail: mutants decide about those guards. */
  readonly leavesGuards?: boolean | undefined;
  /** Findings about changed text of old tests. */
  readonly weakened?: readonly Finding[];
  /** The new tests on units that do no work; absent where there was no test run. */
  readonly nullStubs?: NullStubs;
  /** The new tests in another surrounding; absent where there was no test run. */
  readonly surrounding?: Surrounding | undefined;
  /** Null where no test file of the base changed, or none of the files that they use. */
  readonly oldText?: OldText | null;
  /** Number of `test` and `it` calls in the changed test files. */
  readonly testCalls: number;
  /** Results of the runner's own file list; absent where it was not requested. */
  readonly listing?: {
    /** Files that define tests and that the runner does not list. */
    readonly unlisted: readonly string[];
    /** Patterns of its configuration. */
    readonly patterns: readonly string[];
  };
  /** Present where the commit answers a dispute about a test. */
  readonly dispute?: DisputeFacts;
}

export interface WeakTests {
  /** Those that were not on the base. */
  readonly tests: readonly WeakTestOfFile[];
  /** Number of changed test files in languages that are not read for it. */
  readonly others: number;
}

/** Ids of the new tests, which the coder must make pass. */
export function newTests({ baseline, first }: Pick<RedFacts, "baseline" | "first">): readonly string[] {
  const before = statusOf(baseline);
  return first.report.tests.map((test) => test.id).filter((id) => !before.has(id));
}

/** Tests that one call in a loop or with `each` defines. */
export interface TestTable {
  readonly path: string;
  readonly titles: TitleParts;
}

export interface OldText {
  /** Test files of the base that the tests' commit changed or removed. */
  readonly files: readonly string[];
  /** The run of these files as on the base, with the judged source. */
  readonly suite: Suite;
  /** Ids that a person accepted. */
  readonly accepted: readonly string[];
}
