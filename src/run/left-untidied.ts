/** Tidying up that failed stops no run and no abort: it is told once, with where everything still is. */
import { AppError } from "../lib/errors.ts";
import type { RunContext } from "./context.ts";

export interface Untidied {
  readonly what: string;
  /** A path or a commit: where it is now. */
  readonly at: string;
  readonly failed: unknown;
}

export async function tellUntidied({ session }: RunContext, { what, at, failed }: Untidied): Promise<void> {
  // Without a journal nothing can be told.
  if (failed instanceof AppError && /^(journal_|disk_full)/u.test(failed.code)) throw failed;
  const why = failed instanceof Error ? failed.message : String(failed);
  const words = `${what} stays at ${at}`;
  if (session.view.warnings.some(({ message }) => message.startsWith(words))) return;
  await session.record([{ type: "warned", code: "worktree_failed", message: `${words}: ${why}` }]);
}
