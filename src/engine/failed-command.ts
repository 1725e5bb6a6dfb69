/**
 * What becomes of a command that failed. It fails again at each resume, so it settles as `inconclusive`, charged to nobody:
 * the run asks, and a person goes on or ends it. Only what keeps the journal itself from being written ends the drive.
 */
import { AppError, type ErrorCode } from "../lib/errors.ts";
import type { FamilyRun } from "../family/family.ts";
import type { Settlement } from "../run/settlement.ts";
import { stoppedFact } from "../run/stopped.ts";

/** Null: it is no command's failure but the journal's. */
export function settledFailure(context: FamilyRun, key: string, failure: unknown): Settlement | null {
  if (failure instanceof AppError && isJournal(context, failure)) return null;
  const fact = stoppedFact({ key, ...saidOf(context, failure) });
  return { outcome: "inconclusive", text: fact.message, facts: [fact] };
}

function isJournal({ family }: FamilyRun, { code }: AppError): boolean {
  if (family.survivesBadPayload && code.startsWith("payload_")) return false;
  return /^(journal_|disk_full|state_unwritable|payload_)/u.test(code);
}

interface Said {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  /** Of a fault of ours: where it was. */
  readonly stack?: string;
}

function saidOf({ run }: FamilyRun, failure: unknown): Said {
  if (failure instanceof AppError) {
    const { code, message, hint } = failure;
    return { code, message, hint };
  }
  const message = failure instanceof Error ? failure.message : String(failure);
  if (failure instanceof Error && "syscall" in failure && "code" in failure) {
    const isFull = failure.code === "ENOSPC" || failure.code === "EDQUOT";
    const hint = isFull ? "free some disk space" : "make the path that it names usable for this user";
    return {
      code: isFull ? "disk_full" : "state_unwritable",
      message,
      hint: `${hint}, then \`mettle resume ${run}\``,
    };
  }
  const stack = failure instanceof Error ? (failure.stack ?? "") : "";
  const hint = `this is a fault of Mettle; \`mettle log ${run} --json\` holds where it was`;
  return { code: "internal", message, hint, stack };
}
