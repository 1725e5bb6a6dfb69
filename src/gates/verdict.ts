/** Every gate answers with one of these. A judge that cannot judge says inconclusive (design 4). */
export interface Verdict {
  readonly verdict: "pass" | "fail" | "inconclusive";
  /** The outcome for the kernel: the verdict, or with a hint such as `fail.frozen`. */
  readonly outcome: string;
  readonly checks: readonly Check[];
  readonly findings: readonly Finding[];
  /** Normalised failure signature of a fail, for "same error twice". */
  readonly signature?: string;
  /** The lines of a quality gate of a test-driven cycle, in its order. */
  readonly rows?: readonly Row[];
}

/** One line of a quality gate as people read it: what it asks, its mark, and what the mark rests on (TDP-35, TDP-38). */
export interface Row {
  readonly name: string;
  /** `review`: no machine can decide it, and nobody who can has said anything yet. It blocks nothing. */
  readonly mark: "pass" | "fail" | "inconclusive" | "review";
  readonly basis: "record" | "review";
  /** Id of the evidence record. */
  readonly record?: string;
  /** Measured, for whoever reviews it. */
  readonly numbers?: Readonly<Record<string, number | string>>;
  readonly reviews?: readonly RowReview[];
  /** Empty for a pass that needs no words. */
  readonly why: string;
}

/** Who said what of it, and in which round of which dialogue. */
export interface RowReview {
  readonly reviewer: string;
  readonly status: string;
  readonly session: string;
  readonly round: number;
}

export interface Check {
  readonly name: string;
  readonly verdict: "pass" | "fail" | "inconclusive";
  /** Says what is wrong, and what would make it pass. Empty for a pass. */
  readonly reason: string;
  readonly tests: readonly string[];
  /** A person may accept each of the tests as it is, and the gate then passes. */
  readonly acceptable?: true;
}

export interface Finding {
  readonly code: string;
  readonly severity: "block" | "finding";
  readonly message: string;
  readonly path?: string;
  readonly testId?: string;
}
