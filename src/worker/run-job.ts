/**
 * The job of a run: drives it until it ends or waits for a person (SCL-03). Its commands are jobs of their own, which go on when the
 * worker that drives the run dies: the next one finds them by their names.
 */
import { preapproval } from "../engine/asks/preapproval.ts";
import { drive, type DriveEnd } from "../engine/drive.ts";
import { finishRun, prepareRun } from "../engine/lifecycle.ts";
import { perform, type Performer } from "../engine/perform.ts";
import type { FamilyRun } from "../family/family.ts";
import type { RunClaim } from "../journal/journal.ts";
import { openCommands } from "../kernel/inspect.ts";
import { systemClock } from "../lib/clock.ts";
import { AppError, isErrorCode } from "../lib/errors.ts";
import type { OpenHost } from "../run/host.ts";
import type { Handover } from "../family/handover.ts";
import { takePlanRef, takeRunRefs } from "../run/run-remote.ts";
import { maxDeaths, setAside } from "./command-job.ts";
import { inTurn } from "./in-turn.ts";
import { done, type Job, type JobClient, type JobEnd } from "./job-client.ts";
import type { WorkerPlace } from "./place.ts";
import { pushMade } from "./push-made.ts";
import { queueOf } from "./queues.ts";
import { submitAgain } from "./submit-run.ts";
import { installOnce, openWorkerRun } from "./worker-run.ts";

/** @param signal the worker stops */
export async function driveRunJob(
  { place, jobs }: { readonly place: WorkerPlace; readonly jobs: JobClient },
  job: Job,
  signal: AbortSignal,
): Promise<JobEnd> {
  const { host, context } = await openWorkerRun(place, job);
  const { journal } = host;
  try {
    const claim = await claimRun(host, job.run);
    if (claim === null) return done;
    try {
      const end = await driveClaimed(context, { jobs, job, claim, signal });
      const isBehind = (await journal.head(job.run)) > context.session.view.seq;
      // What another process journaled while this one stopped is for the next.
      if (signal.aborted || (end.type === "waiting" && isBehind)) await submitAgain(jobs, job);
    } finally {
      await claim.release();
    }
    return done;
  } catch (error) {
    // Another worker took the run, and drives it.
    if (error instanceof AppError && error.code === "claim_lost") return done;
    throw error;
  } finally {
    await journal.close();
  }
}

/** Whoever drives the run learns of what is appended, and looks at the journal once more at its end. @returns null if another worker drives it */
async function claimRun({ journal, me }: OpenHost, run: string): Promise<RunClaim | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await journal.claim(run, me);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "run_busy") throw error;
      if (attempt === maxClaims) return null;
      await systemClock.sleep(pauseMs);
    }
  }
}

const maxClaims = 10;
const pauseMs = 500;

interface Drive {
  readonly jobs: JobClient;
  readonly job: Job;
  readonly claim: RunClaim;
  readonly signal: AbortSignal;
}

async function driveClaimed(context: FamilyRun, { jobs, job, claim, signal }: Drive): Promise<DriveEnd> {
  const { run } = job;
  const { handover } = context.family;
  await context.session.refresh();
  await inTurn(run, () => (handover === null ? takeRunRefs(context) : takePlanRef(context)));
  if (handover !== null) {
    await installOnce(context);
    await handover.take(context);
  }
  await prepareRun(context, handover === null ? [] : undefined);
  const end = await drive(context, {
    signal: AbortSignal.any([signal, claim.lost]),
    performer: handover === null ? byJobs(jobs, job) : byItself(handover, claim),
    answer: (ask) => preapproval(context, ask),
  });
  claim.lost.throwIfAborted();
  await inTurn(run, () => takeRunRefs(context));
  await finishRun(context, end);
  if (handover === null) await pushMade(context, () => claim.confirm());
  else await packAndPush(context, handover, claim);
  return end;
}

/** Does each command in this process: all of them share one checkout. What one made is pushed before its result is journaled. */
function byItself(handover: Handover, claim: RunClaim): Performer {
  return async (context, command, signal) => {
    const died = context.session.view.died[command.key] ?? [];
    if (died.length >= maxDeaths) return setAside(context, command, died);
    const settlement = await perform(context, command, signal);
    if (settlement === null || command.type === "timer") return settlement;
    await packAndPush(context, handover, claim);
    return settlement;
  };
}

async function packAndPush(context: FamilyRun, handover: Handover, claim: RunClaim): Promise<void> {
  await inTurn(`plan of ${context.run}`, async () => {
    await handover.pack(context);
    await pushMade(context, () => claim.confirm());
    await handover.pushed(context);
  });
}

/**
 * Leaves each command to a job, which journals its result: the loop reads that, and then ends the wait here. A timer runs here.
 */
function byJobs(jobs: JobClient, { repository, run }: Job): Performer {
  /** Key -> number of its jobs: one that ends without a result is followed by another. */
  const counts = new Map<string, number>();
  return async (context, command, signal) => {
    if (command.type === "timer") return perform(context, command, signal);
    const { key } = command;
    const idOf = (count: number) => `${repository}/${run}/${key}/${count}`;
    let count = counts.get(key) ?? 1;
    // The jobs of earlier drivers of the run.
    while (await hasFailed(jobs, idOf(count))) count++;
    const id = idOf(count);
    await jobs.submit(id, { repository, run, key }, queueOf(context.settings, repository, command));
    const end = await endOf(jobs, id, signal);
    if (end === null) return isOpen(context, key) ? null : "journaled";
    if (end.type === "done") return "journaled";
    counts.set(key, count + 1);
    if (end.type === "failed") throw errorOf(end);
    // The loop looks at usage limits before it begins the command again.
    await systemClock.sleep(pauseMs, signal);
    return null;
  };
}

function errorOf({ code, message, hint }: Extract<JobEnd, { readonly type: "failed" }>): AppError {
  return new AppError(isErrorCode(code) ? code : "internal", message, { hint });
}

/** Whether the job has ended without a result. */
async function hasFailed(jobs: JobClient, id: string): Promise<boolean> {
  const [state] = await jobs.statesOf([id]);
  return state?.type === "ended" && state.end.type !== "done";
}

function isOpen({ session }: FamilyRun, key: string): boolean {
  return openCommands(session.state).some((command) => command.key === key);
}

/**
 * The end of a job that journaled nothing is not announced, so its state is looked at now and then.
 * @returns null if the signal aborts first; the job goes on
 */
async function endOf(jobs: JobClient, id: string, signal: AbortSignal): Promise<JobEnd | null> {
  for (let ms = firstLookMs; ; ms = Math.min(2 * ms, maxLookMs)) {
    await systemClock.sleep(ms, signal);
    if (signal.aborted) return null;
    const [state] = await jobs.statesOf([id]);
    if (state?.type === "ended") return state.end;
  }
}

/** A job that cannot begin on its worker ends soon. */
const firstLookMs = 1000;
const maxLookMs = 8000;
