/** Does one job on this worker, and says so. */
import { systemClock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { doCommand } from "./command-job.ts";
import { Job, open, type JobClient, type JobEnd } from "./job-client.ts";
import { noteFact } from "./note-fact.ts";
import type { WorkerPlace } from "./place.ts";
import { driveRunJob } from "./run-job.ts";
import { submitAgain } from "./submit-run.ts";

export interface JobPorts {
  readonly place: WorkerPlace;
  readonly jobs: JobClient;
  /** The worker takes no more jobs: a run is handed over at once. */
  readonly stop: AbortSignal;
  /** Commands have had their time to end. */
  readonly drained: AbortSignal;
  /** Other workers do what this one has begun. */
  readonly lost: AbortSignal;
  readonly say: (what: string) => void;
}

/** What is done now. */
export class BusyRuns {
  readonly #counts = new Map<string, number>();

  get runs(): ReadonlySet<string> {
    return new Set(this.#counts.keys());
  }

  async during<Value>(run: string, work: () => Promise<Value>): Promise<Value> {
    this.#add(run, 1);
    try {
      return await work();
    } finally {
      this.#add(run, -1);
    }
  }

  #add(run: string, change: number): void {
    const count = (this.#counts.get(run) ?? 0) + change;
    if (count === 0) this.#counts.delete(run);
    else this.#counts.set(run, count);
  }
}

/** @returns never, once the jobs of this worker are others': its result would be taken for theirs */
export async function doJob(ports: JobPorts, busy: BusyRuns, given: unknown): Promise<JobEnd> {
  const job = Job.parse(given);
  const end = await busy.during(job.run, async () => {
    const tried = await tryJob(ports, job);
    if (job.key === undefined && tried.type !== "done") await tellAndRetry(ports, job, tried);
    return tried;
  });
  return ports.lost.aborted ? new Promise<never>(() => undefined) : end;
}

async function tryJob({ place, jobs, stop, drained, lost, say }: JobPorts, job: Job): Promise<JobEnd> {
  const { run, key } = job;
  const what = key === undefined ? `run ${run}` : `${key} of run ${run}`;
  say(`began ${what}`);
  try {
    const end =
      key === undefined
        ? await driveRunJob({ place, jobs }, job, AbortSignal.any([stop, lost]))
        : await doCommand(place, { ...job, key }, AbortSignal.any([drained, lost]));
    say(`${end.type} ${what}`);
    return end;
  } catch (error) {
    const failed = failedEnd(error);
    say(`failed ${what}: ${failed.code}: ${failed.message}`);
    if (lost.aborted || drained.aborted || /^(?:store|journal)_/u.test(failed.code)) return open;
    return failed;
  }
}

/** A run that no worker can drive has no loop that asks a person: its log and its summary say why it stands still. */
async function tellAndRetry({ place, jobs, lost, stop }: JobPorts, job: Job, end: JobEnd): Promise<void> {
  const isOver = AbortSignal.any([lost, stop]);
  for (;;) {
    try {
      if (end.type === "failed") {
        const { code, message } = end;
        await noteFact(place, job, { type: "warned", code, message }, { once: true });
      }
      return await submitAgain(jobs, job, { seconds: retrySeconds });
    } catch (error) {
      // The store is away. Once this worker is gone, others do what it has not ended.
      if (isOver.aborted) throw error;
    }
    await systemClock.sleep(pauseMs, isOver);
  }
}

const pauseMs = 2000;
const retrySeconds = 15;

type FailedEnd = Extract<JobEnd, { readonly type: "failed" }>;

export function failedEnd(error: unknown): FailedEnd {
  if (error instanceof AppError) {
    const { code, message, hint } = error;
    return { type: "failed", code, message, hint };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { type: "failed", code: "internal", message, hint: "this is a bug in Mettle" };
}
