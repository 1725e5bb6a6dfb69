/** Finds the run that a session works on: the newest run of this repository that a session began and that has not ended. */
import { AppError } from "../lib/errors.ts";
import type { OpenHost } from "../run/host.ts";
import { foldRun } from "../run/list-runs.ts";

/** Null: no session has begun a run, or the last one has ended. */
export async function runInHand({ journal }: Pick<OpenHost, "journal">): Promise<string | null> {
  const { run, ended } = await newestOfSessions({ journal });
  return ended ? null : run;
}

/** The run in hand, or the one that was in hand last. */
export async function newestRun(host: Pick<OpenHost, "journal">): Promise<string> {
  const { run } = await newestOfSessions(host);
  return run ?? needRun(host);
}

/** Like `runInHand`. @throws no_dispatch, run_ended */
export async function needRun(host: Pick<OpenHost, "journal">): Promise<string> {
  const { run, ended } = await newestOfSessions(host);
  if (run === null)
    throw new AppError("no_dispatch", "this session has no run", {
      hint: 'begin one: enter {mode: "Ω₁ᴾ", ctx: "what to build"}',
    });
  if (ended) throw runEnded(run);
  return run;
}

function runEnded(run: string): AppError {
  return new AppError("run_ended", `run ${run} has ended`, {
    hint: 'begin another one: enter {mode: "Ω₁ᴾ", ctx: "what to build"}',
  });
}

/** Hooks are too frequent to read the journals of many runs. */
const maxRuns = 20;

/** The newest run that a session began, also one that ended among the newest runs; null: none. */
export async function newestOfSessions({
  journal,
}: Pick<OpenHost, "journal">): Promise<{ readonly run: string | null; readonly ended: boolean }> {
  const newest = (await journal.runs(maxRuns)).toReversed();
  const open = (await journal.openRuns()).toReversed();
  for (const run of new Set([...newest, ...open])) {
    const { started, ended } = await foldRun(journal, run);
    if (started?.front === "referee") return { run, ended: ended !== null };
  }
  return { run: null, ended: false };
}
