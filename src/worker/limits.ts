/** How many jobs of a queue are done at once, and how DBOS keeps that (SCL-03). Pure. */
import type { WorkflowQueue } from "@dbos-inc/dbos-sdk";

/** Null: any number. */
export interface Limits {
  /** Of one worker. */
  readonly worker: number;
  /** Of all workers. */
  readonly all: number | null;
  /** Of one partition: repository or account. */
  readonly each: number | null;
}

export type LimitChanges = { readonly [Name in keyof Limits]?: Limits[Name] | undefined };

export const usualLimits: Limits = { worker: 4, all: null, each: null };

/** A limit of all workers lowers that of one. */
export function withLimits(limits: Limits, changes: LimitChanges): Limits {
  const all = changes.all === undefined ? limits.all : changes.all;
  const each = changes.each === undefined ? limits.each : changes.each;
  const isLowered = changes.worker === undefined && limits.worker === limits.all;
  const worker = changes.worker ?? (isLowered ? usualLimits.worker : limits.worker);
  const isEachUseless = all !== null && each !== null && each >= all;
  return { worker: Math.min(worker, all ?? worker), all, each: isEachUseless ? null : each };
}

/** All queues have partitions, so that a limit for each can be set at any time. */
export function parametersOf({ worker, all, each }: Limits) {
  return {
    workerConcurrency: worker,
    ...(all === null ? {} : { globalConcurrency: all }),
    partitionConcurrency: each ?? all ?? anyNumber,
    minPollingIntervalMs: pollMs,
  };
}

type Kept = Pick<WorkflowQueue, "workerConcurrency" | "concurrency" | "partitionConcurrency">;

export function limitsOf({ workerConcurrency, concurrency, partitionConcurrency }: Kept): Limits {
  const all = concurrency ?? null;
  const each = partitionConcurrency ?? anyNumber;
  return {
    worker: workerConcurrency ?? usualLimits.worker,
    all,
    each: each === (all ?? anyNumber) ? null : each,
  };
}

const anyNumber = 1_000_000;
/** An idle queue is asked that often, by each worker that listens to it. */
const pollMs = 200;
