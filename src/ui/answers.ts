/** How errors are answered: an `AppError` is an answer of its own, with its code and its hint. */
import { AppError, type ErrorCode } from "../lib/errors.ts";

export interface ErrorAnswer {
  readonly status: 400 | 404 | 409 | 500;
  readonly body: {
    readonly error: { readonly code: string; readonly message: string; readonly hint: string };
  };
}

/** What was asked for is not there. */
const missing: ReadonlySet<ErrorCode> = new Set([
  "not_found",
  "run_unknown",
  "payload_missing",
  "revision_unknown",
  "not_a_repository",
  "node_unknown",
  "question_unknown",
]);

/** What was shown has changed, or somebody else was first. */
const conflicts: ReadonlySet<ErrorCode> = new Set([
  "approval_stale",
  "approval_unproven",
  "nothing_waiting",
  "nothing_to_answer",
  "already_answered",
  "approval_lapsed",
  "run_busy",
  "run_ended",
  "journal_conflict",
  "program_replaced",
]);

export function errorAnswer(error: unknown): ErrorAnswer {
  if (!(error instanceof AppError)) {
    const message = error instanceof Error ? error.message : String(error);
    const hint = "this is a fault of Mettle; if it was upgraded, stop `mettle ui` and start it again";
    return { status: 500, body: { error: { code: "internal", message, hint } } };
  }
  const { code, message, hint } = error;
  return { status: statusOf(error), body: { error: { code, message, hint } } };
}

function statusOf({ code, exitCode }: AppError): ErrorAnswer["status"] {
  if (missing.has(code)) return 404;
  if (conflicts.has(code)) return 409;
  return exitCode === 2 ? 400 : 500;
}
