/** A failed cleanup does not stop a run or an abort: it is reported once, with the location of what remains. */
import { AppError } from "../lib/errors.ts";
import type { RunContext } from "./context.ts";

export interface CleanupFailure {
  readonly what: string;
  /** A path or a commit where it remains. */
  readonly at: string;
  readonly failed: unknown;
}

export async function warnCleanupFailed(
  { session }: RunContext,
  { what, at, failed }: CleanupFailure,
): Promise<void> {
  // Without a journal nothing can be reported.
  if (failed instanceof AppError && /^(journal_|disk_full)/u.test(failed.code)) throw failed;
  const why = failed instanceof Error ? failed.message : String(failed);
  const words = `${what} stays at ${at}`;
  if (session.view.warnings.some(({ message }) => message.startsWith(words))) return;
  await session.record([{ type: "warned", code: "worktree_failed", message: `${words}: ${why}` }]);
}
