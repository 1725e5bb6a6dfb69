/** What was judged and what was refused. Only types. */

export type VerdictWord = "pass" | "fail" | "inconclusive";

/** A gate at one place of the run, with every attempt at it. */
export interface GateModel {
  readonly id: string;
  readonly gate: string;
  /** The node of a graph, or the cycle of riper and dptr. */
  readonly place: string | null;
  readonly phase: string;
  readonly attempts: readonly GateAttempt[];
}

export interface GateAttempt {
  readonly key: string;
  readonly verdict: VerdictWord;
  readonly startedAt: string;
  readonly at: string;
  /** Why it did not pass. */
  readonly reasons: readonly string[];
  /** Observations that decide nothing. */
  readonly findings: readonly string[];
  /** Ids of tests that a person may accept. */
  readonly acceptable: readonly string[];
  /** Criteria of the verdict, where it was read. */
  readonly checks: readonly CheckModel[];
  /** Ids of the records that it wrote. */
  readonly records: readonly string[];
  /** Address of the whole verdict. */
  readonly ref: string;
}

export interface CheckModel {
  readonly name: string;
  readonly mark: VerdictWord | "review";
  readonly why: string;
}

export interface ReviewModel {
  readonly key: string;
  readonly gate: number;
  readonly label: string;
  readonly agent: string;
  readonly vendor: string;
  readonly verdict: "APPROVED" | "NEEDS_WORK" | "inconclusive" | "empty";
  readonly reason: string;
  readonly issues: readonly string[];
  readonly suggestions: readonly string[];
  readonly omitted: readonly string[];
  readonly at: string;
}

/** Something that an agent did or claimed and that was not accepted. */
export interface RefusalModel {
  readonly seq: number;
  readonly at: string;
  /** Key of the command, where there is one. */
  readonly key: string | null;
  readonly kind:
    | "gate"
    | "claim"
    | "block"
    | "report"
    | "tool"
    | "network"
    | "write"
    | "frozen"
    | "left_out"
    | "late"
    | "cycle"
    | "rescued";
  /** One sentence. */
  readonly what: string;
  readonly details: readonly string[];
}
