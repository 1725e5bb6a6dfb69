/** The Orchestrate run that a session's messages are about: the newest active one, else the newest. */
import type { OpenHost } from "../../run/host.ts";
import { isOver, statusOfRun } from "../../run/run-status.ts";
import type { RunStatus } from "../../views/run/status.ts";

/** Hooks and tool answers are too frequent to read the journals of many runs. */
const maxRuns = 20;

export async function newestOrchestrateRun({
  journal,
}: Pick<OpenHost, "journal">): Promise<RunStatus | null> {
  let newest: RunStatus | null = null;
  for (const run of (await journal.runs(maxRuns)).toReversed()) {
    const status = await statusOfRun(journal, run);
    if (status.protocol !== "orchestrate") continue;
    if (!isOver(status)) return status;
    newest ??= status;
  }
  return newest;
}

/** The state line before Mettle's answers in this repository (ORC-88); null without an active Orchestrate run. */
export async function orchestrateLine(host: Pick<OpenHost, "journal">): Promise<string | null> {
  const newest = await newestOrchestrateRun(host);
  return newest === null || isOver(newest) ? null : newest.state_line;
}
