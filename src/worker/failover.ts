/**
 * Gives the jobs of dead workers to living ones (SCL-05). DBOS itself goes on with a job only where it began, so each worker claims its
 * own id in the store, and the others look which claims give no sign of life any more.
 */
import { currentProcess } from "../config/owner.ts";
import { openSharedStore, type SharedStore } from "../journal/home-store.ts";
import type { RunClaim } from "../journal/journal.ts";
import { systemClock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { recorded } from "../run/list-runs.ts";
import type { Job, JobClient } from "./job-client.ts";
import { noteFact } from "./note-fact.ts";
import { storeOf, type WorkerPlace } from "./place.ts";

export interface FailoverPorts {
  readonly place: WorkerPlace;
  readonly jobs: JobClient;
  /** Opened under the name of the workers. */
  readonly store: SharedStore;
}

interface Starting {
  readonly stop: AbortSignal;
  readonly say: (what: string) => void;
}

/**
 * Waits while another worker gives the jobs back that this one had when it died.
 * @throws worker_busy if another process of this host is this worker
 */
export async function claimWorker(ports: FailoverPorts, { stop, say }: Starting): Promise<RunClaim> {
  const claim = await claimOwn(ports, { stop, say });
  try {
    // What this worker had when it died.
    await giveBack(ports, ports.place.name);
    return claim;
  } catch (error) {
    await claim.release();
    throw error;
  }
}

async function claimOwn({ store, place }: FailoverPorts, { stop, say }: Starting): Promise<RunClaim> {
  const end = performance.now() + maxWaitMs;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await store.journal.claim(place.name, currentProcess());
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (stop.aborted || performance.now() > end)
        throw new AppError("worker_busy", "another worker runs with this state home", {
          hint: "stop it, or give this one a METTLE_HOME of its own",
          cause: error,
        });
    }
    if (isFirst)
      say(
        `waiting at most ${maxWaitMs / 1000} s: another process has this worker's id, or gives its jobs to others`,
      );
    await systemClock.sleep(pauseMs, stop);
  }
}

const maxWaitMs = 15_000;
const pauseMs = 250;

/** Looks once. @returns the dead workers whose jobs go on elsewhere */
export async function takeOver(ports: FailoverPorts): Promise<readonly string[]> {
  const { store, place } = ports;
  const silent = (await store.silentClaims()).filter((name) => name !== place.name);
  const dead: string[] = [];
  for (const name of silent) {
    try {
      const claim = await store.journal.claim(name, currentProcess());
      try {
        await giveBack(ports, name);
        dead.push(name);
      } finally {
        await claim.release();
      }
    } catch (error) {
      // It lives, or another worker was first.
      if (!isBusy(error)) throw error;
    }
  }
  return dead;
}

async function giveBack({ place, jobs }: FailoverPorts, worker: string): Promise<void> {
  const held = await jobs.heldBy(worker);
  // Before another worker takes the job: it counts these.
  for (const { job } of held) {
    const keys = job.key !== undefined ? [job.key] : job.queue === undefined ? [] : await begunIn(place, job);
    for (const key of keys) await noteFact(place, job, { type: "worker.died", key, worker });
  }
  await jobs.giveBack(held);
}

/** The agents' commands that a worker was doing which did the whole run. */
async function begunIn(place: WorkerPlace, { repository, run }: Job): Promise<readonly string[]> {
  const { journal } = await openSharedStore(storeOf(place, repository), systemClock);
  try {
    const events = (await journal.read(run)).map(recorded);
    const ended = new Set(events.flatMap((event) => (event.type === "result" ? [event.key] : [])));
    const begun = events.flatMap((event) => (event.type === "dispatch.started" ? [event.key] : []));
    return [...new Set(begun)].filter((key) => !ended.has(key));
  } finally {
    await journal.close();
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof AppError && error.code === "run_busy";
}
