/** A worker: takes jobs that its host can do until it is stopped (SCL-04). */
import { storeWaitMs } from "../config/env.ts";
import { openSharedStore } from "../journal/home-store.ts";
import { systemClock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { hostKeys } from "../run/host-keys.ts";
import { BusyRuns, doJob, failedEnd } from "./do-job.ts";
import { claimWorker, takeOver, type FailoverPorts } from "./failover.ts";
import { executorConfig, launch, openJobs } from "./job-client.ts";
import { storeOf, workers, type WorkerPlace } from "./place.ts";
import { servedQueues, type Offer } from "./queues.ts";
import { removeEnded } from "./worker-run.ts";

export interface WorkerOptions {
  readonly place: WorkerPlace;
  readonly offer: Offer;
  /** Takes no more jobs; commands that are begun may end within `drainMs`. */
  readonly stop: AbortSignal;
  readonly drainMs: number;
  readonly say: (what: string) => void;
}

/** @returns when it has stopped @throws worker_busy, key_unenrolled, key_revoked, claim_lost if it was cut off, and the codes of the store */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { place } = options;
  const jobs = await openJobs(place.url);
  try {
    const store = await openSharedStore(storeOf(place, workers), systemClock);
    try {
      // Only an operator enrols a worker: one that came first would let itself in.
      await hostKeys(place.key, store.register).key();
      // Its connection listens for all runs of this worker.
      const news = store.newsOf(place.name);
      try {
        await workWithin({ place, jobs, store }, options);
      } finally {
        await news.end();
      }
    } finally {
      await store.journal.close();
    }
  } finally {
    await jobs.close();
  }
}

async function workWithin(ports: FailoverPorts, options: WorkerOptions): Promise<void> {
  const { place, offer, drainMs, say } = options;
  const { DBOS } = await import("@dbos-inc/dbos-sdk");
  const claim = await claimWorker(ports, options);
  const { lost } = claim;
  const stop = AbortSignal.any([options.stop, lost]);
  const drained = new AbortController();
  const busy = new BusyRuns();
  try {
    const work = { ...ports, stop, drained: drained.signal, lost, say };
    for (const name of ["run", "command"])
      DBOS.registerWorkflow((job: unknown) => DBOS.runStep(() => doJob(work, busy, job), { name: "do" }), {
        name,
      });
    await launch(executorConfig(place.url, place.name, servedQueues(offer)));
    say(`worker ${place.name} is ready: ${[...offer.agents, ...offer.labels].join(", ")}`);
    await watchOthers(ports, { busy, stop, say });
    if (busy.runs.size > 0 && !lost.aborted)
      say(`stopping; commands that are begun have ${drainMs / 1000} s`);
    const timer = setTimeout(() => drained.abort(), drainMs);
    // A worker that was cut off waits for its agents to end, and for no result.
    const waitMs = lost.aborted ? endAgentsMs : drainMs + storeWaitMs() + endAgentsMs;
    await DBOS.shutdown({ workflowCompletionTimeoutMS: waitMs }).finally(() => clearTimeout(timer));
    if (lost.aborted) throw cutOff(place.name, lost.reason);
  } finally {
    await claim.release().catch(() => undefined); // the store is away: the lease ends by itself
  }
}

interface Watch {
  readonly busy: BusyRuns;
  readonly stop: AbortSignal;
  readonly say: (what: string) => void;
}

/** Takes over from workers that died, and removes what ended runs left, until the signal. */
async function watchOthers(ports: FailoverPorts, { busy, stop, say }: Watch): Promise<void> {
  for (let tick = 0; !stop.aborted; tick++) {
    try {
      for (const dead of await takeOver(ports)) say(`worker ${dead} died; its jobs go on elsewhere`);
      if (tick % ticksBetweenCleans === 0) await removeEnded(ports.place, busy.runs);
    } catch (error) {
      say(`note: ${failedEnd(error).message}`); // the claim says for how long the store may be away
    }
    await systemClock.sleep(tickMs, stop);
  }
}

const tickMs = 500;
const ticksBetweenCleans = 120;
const endAgentsMs = 10_000;

function cutOff(name: string, cause: unknown): AppError {
  return new AppError("claim_lost", `worker ${name} was cut off from the store, and others do its jobs`, {
    hint: "start it again when the store can be reached",
    cause,
  });
}
