/** The run of Orchestrate that a session's words are about: the newest that goes on, else the newest. */
import type { OpenHost } from "../../run/host.ts";
import { isOver, statusOfRun } from "../../run/run-status.ts";
import type { RunStatus } from "../../views/run/status.ts";

/** A hook, and each answer of a tool, has no time to look through years of runs. */
const maxRuns = 20;

export async function newestOrchestrateRun({ journal }: Pick<OpenHost, "journal">): Promise<RunStatus | null> {
  let newest: RunStatus | null = null;
  for (const run of (await journal.runs()).slice(-maxRuns).toReversed()) {
    const status = await statusOfRun(journal, run);
    if (status.protocol !== "orchestrate") continue;
    if (!isOver(status)) return status;
    newest ??= status;
  }
  return newest;
}

/** What every answer of Mettle in this repository begins with (ORC-88); null while no run of Orchestrate goes on. */
export async function orchestrateLine(host: Pick<OpenHost, "journal">): Promise<string | null> {
  const newest = await newestOrchestrateRun(host);
  return newest === null || isOver(newest) ? null : newest.state_line;
}
