/** Every gate answers with one of these. A judge that cannot judge says inconclusive (design 4). */
export interface Verdict {
  readonly verdict: "pass" | "fail" | "inconclusive";
  /** The outcome for the kernel: the verdict, or with a hint such as `fail.frozen`. */
  readonly outcome: string;
  readonly checks: readonly Check[];
  readonly findings: readonly Finding[];
  /** Normalised failure signature of a fail, for "same error twice". */
  readonly signature?: string;
}

export interface Check {
  readonly name: string;
  readonly verdict: "pass" | "fail" | "inconclusive";
  /** Says what is wrong, and what would make it pass. Empty for a pass. */
  readonly reason: string;
  readonly tests: readonly string[];
}

export interface Finding {
  readonly code: string;
  readonly severity: "block" | "finding";
  readonly message: string;
  readonly path?: string;
  readonly testId?: string;
}
