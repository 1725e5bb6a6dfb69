/** What is known about a RED commit when it is judged. */
import type { Unit } from "./red-reason.ts";
import type { DisputeFacts } from "../review/dispute.ts";

import type { PathRules } from "../../source/paths.ts";
import { statusOf, type Suite } from "../suite/suite.ts";
import type { SourceMark } from "../../source/test-source.ts";
import type { Finding } from "../verdict.ts";

export interface RedFacts {
  /** Paths changed between base and head. */
  readonly changed: readonly string[];
  /** Those of them that are links or submodules and lead out of the tree. */
  readonly links: readonly string[];
  readonly rules: PathRules;
  /** The only test paths that may change, beside fixtures; without it every test path may. */
  readonly declared?: readonly string[] | undefined;
  /** What helps where a module does not exist; without it, that a plan may name it. */
  readonly missing?: string | undefined;
  /** Null: nobody named criteria, so they are not checked. */
  readonly criteria: readonly string[] | null;
  readonly plan: Readonly<Record<string, readonly string[]>>;
  readonly baseline: Suite;
  /** All tests of head; `confirm` is the same run again where an old test failed in the first. */
  readonly first: Suite;
  readonly confirm: Suite | null;
  /** The changed test files again, shuffled; null where there was nothing to repeat. */
  readonly second: Suite | null;
  /** What the text of the changed test files shows, without what stood there on the base already. */
  readonly marks: readonly SourceMark[];
  readonly unit: Unit;
  readonly stubs: readonly { readonly path: string; readonly names: readonly string[] }[];
  /** What the authors of tests say about those that pass already. */
  readonly passNotes?: readonly PassNote[];
  /** Ids of old tests whose change a person accepted, and of new ones that pass. */
  readonly accepted?: readonly string[] | undefined;
  /** What a person types to accept a test; default for a run. */
  readonly accepting?: string | undefined;
  /** Any path may change: the tests of a change were put on its base. */
  readonly composed?: boolean | undefined;
  /** What became of the text of old tests. */
  readonly weakened?: readonly Finding[];
  /** Null: no test file of the base was changed, or nothing beside them that they use. */
  readonly oldText?: OldText | null;
  /** Calls of `test` or `it` in the text of the changed test files. */
  readonly testCalls: number;
  /** What the runner makes of the changed test files; absent where nobody asked it. */
  readonly listing?: {
    /** Files that define tests, and that the runner does not pick up. */
    readonly unlisted: readonly string[];
    /** What its configuration names. */
    readonly patterns: readonly string[];
  };
  /** Where the commit answers a dispute about a test. */
  readonly dispute?: DisputeFacts;
}

/** The ids that the coder has to make pass. */
export function newTests({ baseline, first }: Pick<RedFacts, "baseline" | "first">): readonly string[] {
  const before = statusOf(baseline);
  return first.report.tests.map((test) => test.id).filter((id) => !before.has(id));
}

/** A comment such as `// passes already: upper case was never changed`. */
export interface PassNote {
  readonly path: string;
  readonly reason: string;
  /** The line of code below it, and the one above: the test's name stands in either. */
  readonly below: string;
  readonly above: string;
}

export interface OldText {
  /** Test files of the base that the tests' commit changed or took away. */
  readonly files: readonly string[];
  /** These files as they were on the base, with the source that is judged. */
  readonly suite: Suite;
  /** Ids that a person let go. */
  readonly accepted: readonly string[];
}
