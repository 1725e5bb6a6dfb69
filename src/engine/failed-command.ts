/**
 * Settles a failed command. It would fail again at each resume, so it settles as `inconclusive`, which counts as no agent's
 * attempt: the run asks a person. Only a failure to write the journal ends the drive.
 */
import { AppError, type ErrorCode } from "../lib/errors.ts";
import type { FamilyRun } from "../family/family.ts";
import type { Settlement } from "../run/settlement.ts";
import { environmentErrorFact } from "../run/environment-error.ts";

/** @returns null for a failure of the journal */
export function failureSettlement(context: FamilyRun, key: string, failure: unknown): Settlement | null {
  if (failure instanceof AppError && isJournalFailure(context, failure)) return null;
  const fact = environmentErrorFact({ key, ...describeFailure(context, failure) });
  return { outcome: "inconclusive", text: fact.message, facts: [fact] };
}

function isJournalFailure({ family }: FamilyRun, { code }: AppError): boolean {
  if (family.survivesBadPayload && code.startsWith("payload_")) return false;
  return /^(journal_|store_|claim_lost$|disk_full|state_unwritable|payload_)/u.test(code);
}

interface FailureText {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  /** Set for an internal error. */
  readonly stack?: string;
}

function describeFailure({ run }: FamilyRun, failure: unknown): FailureText {
  if (failure instanceof AppError) {
    const { code, message, hint } = failure;
    return { code, message, hint };
  }
  const message = failure instanceof Error ? failure.message : String(failure);
  if (failure instanceof Error && "syscall" in failure && "code" in failure) {
    const isFull = failure.code === "ENOSPC" || failure.code === "EDQUOT";
    const hint = isFull ? "free some disk space" : "give this user access to the path in the message";
    return {
      code: isFull ? "disk_full" : "state_unwritable",
      message,
      hint: `${hint}, then \`mettle resume ${run}\``,
    };
  }
  const stack = failure instanceof Error ? (failure.stack ?? "") : "";
  const hint = `this is a bug in Mettle; \`mettle log ${run} --json\` shows the stack trace`;
  return { code: "internal", message, hint, stack };
}
