/** The run of Orchestrate that a session's words are about: the newest that goes on, else the newest. */
import type { OpenHost } from "../runtime/host.ts";
import { isOver, statusOfRun } from "../runtime/run-status.ts";
import type { RunStatus } from "../views/status.ts";

/** A hook has no time to look through years of runs. */
const mostRuns = 20;

export async function newestRun({ journal }: Pick<OpenHost, "journal">): Promise<RunStatus | null> {
  let newest: RunStatus | null = null;
  for (const run of (await journal.runs()).slice(-mostRuns).toReversed()) {
    const status = await statusOfRun(journal, run);
    if (status.protocol !== "orchestrate") continue;
    if (!isOver(status)) return status;
    newest ??= status;
  }
  return newest;
}
