/**
 * The line that every response of a run starts with (ORC-88 to 90). Exec, Exit and Status are derived here from facts,
 * so that no caller can print a combination that the rules forbid.
 */
export interface StateLine {
  /** As the protocol names it: `7 TDD_GREEN`. */
  readonly phase: string;
  readonly reviewers: readonly ReviewCount[];
  /**
   * The newest record of the phase; `shown` when this very message holds its EXECUTION_BLOCK. `exitCode` is 128 plus the
   * number of the signal where one ended the process, null where nothing has ended.
   */
  readonly proof: { readonly exitCode: number | null; readonly shown: boolean } | null;
  /** The journal says that the phase is complete. */
  readonly completed: boolean;
  /** A breaker is tripped. Waiting for a person is none. */
  readonly tripped: boolean;
}

export interface ReviewCount {
  readonly label: string;
  /** Verdicts that this reviewer has given at the gate. */
  readonly given: number;
  readonly limit: number;
}

export type RunStatusWord = "in_progress" | "blocked" | "complete";

export function stateLine(line: StateLine): string {
  const { exec, exit, status } = rule(line);
  return [
    `[Orc.Phase${line.phase.trim().replaceAll(/\s+/g, "_")}]`,
    ...line.reviewers.map(({ label, given, limit }) => `[${label}: ${String(given)}/${String(limit)}]`),
    `[Exec: ${exec}]`,
    `[Exit: ${exit}]`,
    `[Status: ${status}]`,
  ].join(" ");
}

/** A whole response: the line, the body, and the block that makes it PROVEN. Without a block nothing is proven. */
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

/** A reviewer's answer at a gate. */
export interface Reviewed {
  readonly gate: number;
  readonly label: string;
  readonly verdict: string;
  /** Which of the gate's counted tries it was given in, from 1. */
  readonly round: number;
}

/**
 * Which counts the line shows: those of the gate that is being passed, or between gates of the latest one that was. What a
 * gate does not count, as a plan that a person edited after it was approved, is reviewed again in the same round: a count
 * never exceeds its limit.
 * @param reviews all reviews since a person last reset the gates, oldest first
 */
export function reviewCounts(
  reviews: readonly Reviewed[],
  at: { readonly gate: number | null; readonly labels: readonly string[]; readonly limit: number },
): readonly ReviewCount[] {
  const gate = at.gate ?? reviews.at(-1)?.gate ?? null;
  const ofGate = reviews.filter((review) => review.gate === gate);
  // A counter that fell has begun anew.
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

function rule({ proof, completed, tripped }: StateLine): {
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
