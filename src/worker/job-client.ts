/**
 * The queue of jobs in the shared store, by DBOS (SCL-03). A job is a workflow of DBOS: named, so that submitting it again changes
 * nothing, and done by any worker that listens to its queue.
 */
import type { DBOSClient, DBOSConfig, WorkflowStatus } from "@dbos-inc/dbos-sdk";
import * as z from "zod";
import { withStoreLock } from "../journal/postgres/lock.ts";
import { AppError } from "../lib/errors.ts";
import { newId } from "../lib/ids.ts";
import { workers } from "./place.ts";
import { limitsOf, parametersOf, usualLimits, withLimits, type LimitChanges, type Limits } from "./limits.ts";
import type { JobQueue } from "./queues.ts";

/** A run, or one command of it. */
export const Job = z.object({
  /** The repository's name in the shared store. */
  repository: z.string(),
  run: z.string(),
  /** Of the command; absent: the job drives the run. */
  key: z.string().optional(),
  /** Of a run that one worker at a time does as a whole: where it waits for one; absent: among the runs of its repository. */
  queue: z.object({ name: z.string(), partition: z.string() }).optional(),
});
export type Job = z.infer<typeof Job>;

/** `done`: its result is journaled. `open`: it is still to be done, by another job. `failed`: this host could not begin it. */
export const JobEnd = z.discriminatedUnion("type", [
  z.object({ type: z.literal("done") }),
  z.object({ type: z.literal("open") }),
  z.object({ type: z.literal("failed"), code: z.string(), message: z.string(), hint: z.string() }),
]);
export type JobEnd = z.infer<typeof JobEnd>;

export const done: JobEnd = { type: "done" };
export const open: JobEnd = { type: "open" };

export type JobState =
  { readonly type: "unknown" | "waiting" | "working" } | { readonly type: "ended"; readonly end: JobEnd };

export interface QueueState extends Limits {
  readonly queue: string;
  readonly waiting: number;
  readonly working: number;
}

export interface Delay {
  readonly seconds: number;
}

export interface HeldJob {
  readonly id: string;
  readonly queue: string;
  readonly job: Job;
}

export interface JobClient {
  /** Submits a job. An id that was used before, ended or not, changes nothing. @param id its name in the whole store */
  submit(id: string, job: Job, queue: JobQueue, delay?: Delay): Promise<void>;
  /** The states of jobs, in order. */
  statesOf(ids: readonly string[]): Promise<readonly JobState[]>;
  queues(): Promise<readonly QueueState[]>;
  /** Changes what is not undefined. @param queue its name; it need not have jobs yet */
  limit(queue: string, changes: LimitChanges): Promise<void>;
  /** What a worker has begun and not ended. */
  heldBy(worker: string): Promise<readonly HeldJob[]>;
  /** Puts jobs back in their queues. */
  giveBack(held: readonly HeldJob[]): Promise<void>;
  close(): Promise<void>;
}

/** Where DBOS has its tables. */
const jobsSchema = "mettle_jobs";
/** Of the jobs, not of Mettle: a worker takes only jobs of its version. */
const jobsVersion = "1";
const application = "mettle";

/** @param url of the shared store; the caller closes the client */
export async function openJobs(url: string): Promise<JobClient> {
  // DBOS starts with a call of pg that pg deprecates.
  process.noDeprecation = true;
  const { DBOS, DBOSClient } = await import("@dbos-inc/dbos-sdk");
  const client = await DBOSClient.create({
    systemDatabaseUrl: url,
    systemDatabaseSchemaName: jobsSchema,
    systemDatabasePoolSize: 2,
    applicationName: application,
    logger: silent,
  });
  if (!(await hasTables(client))) {
    await launch(executorConfig(url, `tables-${newId()}`, []));
    await DBOS.shutdown();
  }
  return clientOf(client);
}

/** @param url of the shared store */
export async function withJobs<Value>(
  url: string,
  work: (jobs: JobClient) => Promise<Value>,
): Promise<Value> {
  const jobs = await openJobs(url);
  try {
    return await work(jobs);
  } finally {
    await jobs.close();
  }
}

async function hasTables(client: DBOSClient): Promise<boolean> {
  return client.listQueues(application).then(
    () => true,
    () => false, // a store that is away says so at the next call
  );
}

/** Starts DBOS, which makes or migrates its tables: of programs that start together, one after the other. */
export async function launch(config: DBOSConfig & { readonly systemDatabaseUrl: string }): Promise<void> {
  const { DBOS } = await import("@dbos-inc/dbos-sdk");
  const busy = () =>
    new AppError("journal_locked", "another program migrates the tables of the jobs all the time", {
      hint: "try again; if it stays, look at the connections of the database",
      retry: "safe",
    });
  const place = { url: config.systemDatabaseUrl, repository: workers };
  await withStoreLock(place, { name: "tables of jobs", waitMs: 60_000, asks: true, busy }, async () => {
    DBOS.setConfig(config);
    await DBOS.launch();
  });
}

/** Of a process that does the jobs of these queues. */
export function executorConfig(url: string, name: string, queues: readonly string[]) {
  return {
    name: application,
    systemDatabaseUrl: url,
    systemDatabaseSchemaName: jobsSchema,
    applicationVersion: jobsVersion,
    executorID: name,
    listenQueues: [...queues],
    logger: silent,
  };
}

function clientOf(client: DBOSClient): JobClient {
  const known = new Set<string>();
  /** Limits that an operator set stay. */
  const registered = (name: string) =>
    client.registerQueue(name, {
      ...parametersOf(usualLimits),
      onConflict: "never_update",
      applicationName: application,
    });
  return {
    async submit(id, job, { name, partition }, delay) {
      if (!known.has(name)) await registered(name);
      known.add(name);
      await client.enqueue(
        {
          workflowName: job.key === undefined ? "run" : "command",
          workflowID: id,
          queueName: name,
          queuePartitionKey: partition,
          appVersion: jobsVersion,
          applicationName: application,
          ...(delay === undefined ? {} : { delaySeconds: delay.seconds }),
        },
        job,
      );
    },
    async statesOf(ids) {
      const found = await client.listWorkflows({ workflowIDs: [...ids], loadInput: false });
      const states = new Map(found.map((status) => [status.workflowID, stateOf(status)]));
      return ids.map((id) => states.get(id) ?? { type: "unknown" });
    },
    async queues() {
      const [found, jobs] = await Promise.all([
        client.listQueues(application),
        client.listWorkflows({ status: ["ENQUEUED", "DELAYED", "PENDING"], loadInput: false }),
      ]);
      const count = (queue: string, isWorking: boolean) =>
        jobs.filter(({ queueName, status }) => queueName === queue && (status === "PENDING") === isWorking)
          .length;
      return found
        .map((queue) => ({
          queue: queue.name,
          ...limitsOf(queue),
          waiting: count(queue.name, false),
          working: count(queue.name, true),
        }))
        .toSorted((one, other) => one.queue.localeCompare(other.queue));
    },
    async limit(name, changes) {
      const limits = withLimits(limitsOf(await registered(name)), changes);
      await client.registerQueue(name, {
        ...parametersOf(limits),
        onConflict: "always_update",
        applicationName: application,
      });
    },
    async heldBy(worker) {
      const held = await client.listWorkflows({ status: "PENDING", executorId: worker });
      return held.flatMap(({ workflowID: id, queueName, input }) => {
        const job = Job.safeParse(input?.[0]);
        return job.success && queueName !== undefined ? [{ id, queue: queueName, job: job.data }] : [];
      });
    },
    async giveBack(held) {
      for (const { id, queue } of held) await client.resumeWorkflow(id, { queueName: queue });
    },
    close: () => client.destroy(),
  };
}

function stateOf({ status, output }: WorkflowStatus): JobState {
  switch (status) {
    case "ENQUEUED":
    case "DELAYED":
      return { type: "waiting" };
    case "PENDING":
      return { type: "working" };
    default:
      return { type: "ended", end: JobEnd.safeParse(output).data ?? open };
  }
}

const ignore = () => undefined;
/** What DBOS says of itself is for its developers; failures are thrown. */
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };
