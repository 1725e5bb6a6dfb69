/**
 * The first line of every response of a run (ORC-88 to 90). Exec, Exit and Status are derived here from facts, so that no
 * caller can print a forbidden combination.
 */
export interface StateLine {
  /** The protocol's name of the phase: `7 TDD_GREEN`. */
  readonly phase: string;
  readonly reviewers: readonly ReviewCount[];
  /**
   * The newest record of the phase; `shown` if this message contains its EXECUTION_BLOCK. `exitCode` is 128 plus the
   * signal number for a signal, null if no process has ended.
   */
  readonly proof: { readonly exitCode: number | null; readonly shown: boolean } | null;
  /** Whether the journal has the phase as complete. */
  readonly completed: boolean;
  /** Whether a breaker is tripped. Other asks do not count. */
  readonly tripped: boolean;
}

export interface ReviewCount {
  readonly label: string;
  /** Number of this reviewer's verdicts at the gate. */
  readonly given: number;
  readonly limit: number;
}

export type RunStatusWord = "in_progress" | "blocked" | "complete";

export function stateLine(line: StateLine): string {
  const { exec, exit, status } = deriveStatus(line);
  return [
    `[Orc.Phase${line.phase.trim().replaceAll(/\s+/g, "_")}]`,
    ...line.reviewers.map(({ label, given, limit }) => `[${label}: ${String(given)}/${String(limit)}]`),
    `[Exec: ${exec}]`,
    `[Exit: ${exit}]`,
    `[Status: ${status}]`,
  ].join(" ");
}

/** A full response: the line, the body, and the block. Without a block it is not PROVEN. */
export function respond(
  line: Omit<StateLine, "proof"> & { readonly lastExit: number | null },
  message: {
    readonly body: string;
    readonly block: { readonly text: string; readonly exitCode: number } | null;
  },
): string {
  const { body, block } = message;
  const proof = { exitCode: block ? block.exitCode : line.lastExit, shown: block !== null };
  const parts = [stateLine({ ...line, proof }), body];
  if (block && !body.includes(block.text)) parts.push(block.text);
  return parts.filter((part) => part !== "").join("\n");
}

/** A review at a gate. */
export interface ReviewRound {
  readonly gate: number;
  readonly label: string;
  readonly verdict: string;
  /** The gate's counted attempt, starting at 1. */
  readonly round: number;
}

/**
 * The counts of the current gate, or between gates of the latest one. A re-review that a gate does not count (e.g. of a
 * plan edited after its approval) is in the same round, so a count never exceeds its limit.
 * @param reviews all reviews since a person last reset the gates, oldest first
 */
export function reviewCounts(
  reviews: readonly ReviewRound[],
  at: { readonly gate: number | null; readonly labels: readonly string[]; readonly limit: number },
): readonly ReviewCount[] {
  const gate = at.gate ?? reviews.at(-1)?.gate ?? null;
  const ofGate = reviews.filter((review) => review.gate === gate);
  // A lower round means that the counter was reset.
  const begin = ofGate.findLastIndex(({ round }, index) => round < (ofGate[index - 1]?.round ?? 0));
  const current = ofGate.slice(Math.max(0, begin)).filter(({ verdict }) => isVerdict(verdict));
  return at.labels.map((label) => {
    const rounds = new Set(current.filter((review) => review.label === label).map(({ round }) => round));
    return { label, given: Math.min(rounds.size, at.limit), limit: at.limit };
  });
}

export function isVerdict(verdict: string): boolean {
  return verdict === "APPROVED" || verdict === "NEEDS_WORK";
}

function deriveStatus({ proof, completed, tripped }: StateLine): {
  readonly exec: "PROVEN" | "UNPROVEN";
  readonly exit: string;
  readonly status: RunStatusWord;
} {
  const exitCode = proof?.exitCode ?? null;
  const proven = proof !== null && proof.shown && exitCode !== null;
  return {
    exec: proven ? "PROVEN" : "UNPROVEN",
    exit: exitCode === null ? "PENDING" : String(exitCode),
    status: tripped ? "blocked" : completed && proven && exitCode === 0 ? "complete" : "in_progress",
  };
}
