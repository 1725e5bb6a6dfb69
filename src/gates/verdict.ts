/** The answer of every gate. A judge that cannot judge answers inconclusive. */
export interface Verdict {
  readonly verdict: "pass" | "fail" | "inconclusive";
  /** The outcome for the kernel: the verdict, possibly with a hint such as `fail.frozen`. */
  readonly outcome: string;
  readonly checks: readonly Check[];
  readonly findings: readonly Finding[];
  /** Normalised signature of a failure, for "same error twice". */
  readonly signature?: string;
  /** The rows of a cycle's quality gate, in order. */
  readonly rows?: readonly Row[];
}

/** One row of a quality gate: its question, its mark and the evidence for the mark (TDP-35, TDP-38). */
export interface Row {
  readonly name: string;
  /** `review`: only a person or reviewer can decide it, and has not yet. It blocks nothing. */
  readonly mark: "pass" | "fail" | "inconclusive" | "review";
  readonly basis: "record" | "review";
  /** Id of the evidence record. */
  readonly record?: string;
  /** Measurements for the reviewer. */
  readonly numbers?: Readonly<Record<string, number | string>>;
  readonly reviews?: readonly RowReview[];
  /** Empty for a pass without explanation. */
  readonly why: string;
}

/** A reviewer's status, with the round and the dialogue. */
export interface RowReview {
  readonly reviewer: string;
  readonly status: string;
  readonly session: string;
  readonly round: number;
}

export interface Check {
  readonly name: string;
  readonly verdict: "pass" | "fail" | "inconclusive";
  /** What is wrong and how to make it pass. Empty for a pass. */
  readonly reason: string;
  readonly tests: readonly string[];
  /** A person may accept each of the tests as it is; the gate then passes. */
  readonly acceptable?: true;
}

export interface Finding {
  readonly code: string;
  readonly severity: "block" | "finding";
  readonly message: string;
  readonly path?: string;
  readonly testId?: string;
}
