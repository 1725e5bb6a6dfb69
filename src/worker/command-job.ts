/** The job of one command: does it on this worker, pushes what it made, and journals its result (SCL-03, SCL-04). */
import { failureSettlement } from "../engine/failed-command.ts";
import { prepareRun } from "../engine/lifecycle.ts";
import { perform, settle } from "../engine/perform.ts";
import type { FamilyRun } from "../family/family.ts";
import type { RunClaim } from "../journal/journal.ts";
import { openCommands } from "../kernel/inspect.ts";
import type { Command } from "../kernel/command.ts";
import { AppError } from "../lib/errors.ts";
import { environmentErrorFact } from "../run/environment-error.ts";
import { takeRunRefs } from "../run/run-remote.ts";
import type { Settlement } from "../run/settlement.ts";
import { inTurn } from "./in-turn.ts";
import { done, open, type Job, type JobEnd } from "./job-client.ts";
import type { WorkerPlace } from "./place.ts";
import { givenUp, pushMade, remoteMoves } from "./push-made.ts";
import { installOnce, openWorkerRun, type WorkerRun } from "./worker-run.ts";

export interface CommandJob extends Job {
  readonly key: string;
}

/** Workers that may die of one command before a person is asked. */
export const maxDeaths = 3;
/** How often a command is done again because another one moved the same branch meanwhile. */
const maxRounds = 5;

/** @param signal the worker stops */
export async function doCommand(place: WorkerPlace, job: CommandJob, signal: AbortSignal): Promise<JobEnd> {
  const opened = await openWorkerRun(place, job);
  const { journal, me } = opened.host;
  try {
    const claim = await journal.claim(job.run, me, job.key);
    try {
      return await doClaimed(opened, { job, claim, signal });
    } finally {
      await claim.release();
    }
  } catch (error) {
    // Another worker has it, or has taken it from this one, which was cut off.
    if (error instanceof AppError && ["run_busy", "claim_lost"].includes(error.code)) return open;
    throw error;
  } finally {
    await journal.close();
  }
}

interface Claimed {
  readonly job: CommandJob;
  readonly claim: RunClaim;
  readonly signal: AbortSignal;
}

async function doClaimed(
  { context }: WorkerRun,
  { job: { run, key }, claim, signal }: Claimed,
): Promise<JobEnd> {
  const { session } = context;
  await session.refresh();
  const command = openCommand(context, key);
  if (command === null) return done;
  const died = session.view.died[key] ?? [];
  if (died.length >= maxDeaths) {
    await settle(context, key, setAside(context, command, died));
    return done;
  }
  const watch = watchCommand(context, key);
  const stop = AbortSignal.any([signal, claim.lost, watch.stop]);
  try {
    await inTurn(run, () => takeRunRefs(context));
    await installOnce(context);
    await prepareRun(context, [command]);
    // What other hosts journaled since the last command here.
    await inTurn(`documents of ${run}`, () => context.family.writeDocuments(context));
    const settlement = await performAndPush(context, { command, claim, stop });
    claim.lost.throwIfAborted();
    if (settlement === null) {
      if (!stop.aborted) return open;
      if (openCommand(context, key) !== null) return open;
      if (command.type === "dispatch") await context.family.stopped(context, command, []);
      await pushMade(context);
      return done;
    }
    await settle(context, key, settlement);
    return done;
  } finally {
    await watch.end();
  }
}

/** @returns null if it was stopped, or is still to be done */
async function performAndPush(
  context: FamilyRun,
  {
    command,
    claim,
    stop,
  }: { readonly command: Command; readonly claim: RunClaim; readonly stop: AbortSignal },
): Promise<Settlement | null> {
  for (let round = 1; ; round++) {
    try {
      const before = givenUp(context);
      const settlement = await perform(context, command, stop);
      if (settlement === null) return null;
      await claim.confirm();
      await pushMade(context);
      // A dispatch moves no branch.
      if (command.type === "dispatch" || givenUp(context) === before) return settlement;
      if (round === maxRounds) throw remoteMoves(context);
    } catch (error) {
      const failed = failureSettlement(context, command.key, error);
      if (failed === null) throw error;
      return failed;
    }
  }
}

function openCommand({ session }: FamilyRun, key: string): Command | null {
  return openCommands(session.state).find((command) => command.key === key) ?? null;
}

export function setAside(context: FamilyRun, { key }: Command, died: readonly string[]): Settlement {
  const message = `${key} was set aside: ${died.length} workers died while they did it (${died.join(", ")})`;
  const hint = `look at these hosts, then \`mettle resume ${context.run}\``;
  const fact = environmentErrorFact({ key, code: "job_set_aside", message, hint });
  return { outcome: "inconclusive", text: message, facts: [fact] };
}

/** Stops a command that was closed or paused meanwhile by what another process journaled. */
function watchCommand(context: FamilyRun, key: string) {
  const { session } = context;
  const { pausedAt } = session.view;
  const stop = new AbortController();
  const isOver = new AbortController();
  const news = context.news();
  const watch = async (): Promise<void> => {
    while (!isOver.signal.aborted) {
      await news.next(isOver.signal);
      await session.refresh().catch(() => undefined); // the store is away: the claim says for how long that may be
      if (openCommand(context, key) === null || session.view.pausedAt > pausedAt) stop.abort();
    }
  };
  const watching = watch();
  return {
    stop: stop.signal,
    async end() {
      isOver.abort();
      await Promise.all([watching, news.end()]);
    },
  };
}
