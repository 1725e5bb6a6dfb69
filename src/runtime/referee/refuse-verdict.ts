/** A session's own verdict in a run that Mettle drives: no gate counts it, for who gives it knows too much (ORC-16). */
import { AppError } from "../../lib/errors.ts";
import type { OpenHost } from "../host.ts";
import { foldRun } from "../list-runs.ts";
import { openRun } from "../open-run.ts";
import type { Told } from "./report.ts";

/** Nothing where no run of Orchestrate goes on. */
export async function refuseVerdict(host: OpenHost, { status }: Told): Promise<void> {
  const run = await orchestrateRun(host);
  if (run === null) return;
  const { session } = await openRun(host, { run });
  const message = `not_isolated: a session reported ${status.slice(0, 64)}, which counts for no gate`;
  await session.record([{ type: "warned", code: "verdict_refused", message }]);
  throw new AppError("no_dispatch", `run ${run} counts the decisions of isolated agents alone`, {
    hint: "Mettle starts them; `mettle status` says where the run stands",
  });
}

async function orchestrateRun({ journal }: OpenHost): Promise<string | null> {
  for (const run of (await journal.runs()).toReversed()) {
    const { started, ended, aborted } = await foldRun(journal, run);
    if (started?.protocol === "orchestrate" && ended === null && aborted === null) return run;
  }
  return null;
}
