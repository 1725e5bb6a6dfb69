/** Finds the run for a decision that names none: the only one that waits for it. */
import type { AskCommand } from "../kernel/command.ts";
import { AppError } from "../lib/errors.ts";
import { openAsks } from "../log/open-asks.ts";
import type { RunView } from "../log/run-view.ts";
import { safeLine } from "../lib/safe-text.ts";
import { findRun } from "../run/find-run.ts";
import type { OpenHost } from "../run/host.ts";
import { foldOpenRuns } from "../run/list-runs.ts";

type AskFilter = (ask: AskCommand) => boolean;

/** Falls back to the newest run, whose own error names what it waits for. */
export async function waitingRun(host: OpenHost, given: string | null, wants: AskFilter): Promise<string> {
  if (given !== null) return findRun(host, given);
  return (await onlyWaiting(host, wants))?.run ?? findRun(host, null);
}

/** @returns null if none waits. @throws usage if several do */
export async function onlyWaiting(
  host: OpenHost,
  wants: AskFilter,
  isMeant: (view: RunView) => boolean = () => true,
): Promise<RunView | null> {
  const views = (await foldOpenRuns(host.journal)).filter(isMeant);
  const waiting = views.filter((view) => openAsks(view).some(wants));
  if (waiting.length < 2) return waiting[0] ?? null;
  const named = waiting.map(({ run, started }) => `${run} (${safeLine(started?.task ?? "")})`);
  throw new AppError("usage", `${waiting.length} runs wait for that: ${named.join(", ")}`, {
    hint: "name the run; `mettle status` lists the commands",
    detail: { candidates: waiting.map(({ run }) => run) },
  });
}
