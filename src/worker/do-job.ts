/** Does one job on this worker, and says so. */
import { AppError } from "../lib/errors.ts";
import { doCommand } from "./command-job.ts";
import { Job, open, type JobClient, type JobEnd } from "./job-client.ts";
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
  const end = await busy.during(job.run, () => tryJob(ports, job));
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
    if (lost.aborted || drained.aborted) return open;
    if (key === undefined) await submitAgain(jobs, job, { seconds: retrySeconds });
    return failed;
  }
}

const retrySeconds = 15;

export function failedEnd(error: unknown): Extract<JobEnd, { readonly type: "failed" }> {
  if (error instanceof AppError) {
    const { code, message, hint } = error;
    return { type: "failed", code, message, hint };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { type: "failed", code: "internal", message, hint: "this is a bug in Mettle" };
}
