/** The result of the tests in another surrounding (PRV-17). */
import type { Surround, SurroundingRead } from "../../source/surrounding-reads.ts";

export interface ChangedRead extends SurroundingRead {
  readonly path: string;
}

/** A required test that gives another result whenever `what` differs, and code of the change that reads it. */
export interface DependentTest {
  readonly id: string;
  readonly what: Surround;
  readonly read: ChangedRead;
  /** It fails here and passes there: a test of RED. */
  readonly passes?: boolean;
}

export type Surrounding =
  | {
      readonly state: "measured";
      /** What differed. */
      readonly kinds: readonly Surround[];
      readonly tests: number;
      readonly dependent: readonly DependentTest[];
      /** Required tests that failed there for a reason that the change does not read. */
      readonly unstable: readonly string[];
    }
  | { readonly state: "not measured"; readonly why: string };
