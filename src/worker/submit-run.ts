/** Submits a run to the workers: when it begins, and whenever there may be something to do again, such as after an answer. */
import type { Journal } from "../journal/journal.ts";
import { newId } from "../lib/ids.ts";
import type { Delay, Job, JobClient } from "./job-client.ts";
import { runQueue, type JobQueue } from "./queues.ts";

/** Submitting it twice at the same event changes nothing (SCL-03). */
export async function submitRun(
  jobs: JobClient,
  journal: Pick<Journal, "head">,
  job: Omit<Job, "key">,
): Promise<void> {
  const { repository, run } = job;
  await jobs.submit(`${repository}/${run}/at-${await journal.head(run)}`, job, queueOf(job));
}

/** Submits the run of a job that ends and leaves something to do. */
export async function submitAgain(
  jobs: JobClient,
  { repository, run, queue }: Job,
  delay?: Delay,
): Promise<void> {
  const job = { repository, run, queue };
  await jobs.submit(`${repository}/${run}/again-${newId(16)}`, job, queueOf(job), delay);
}

function queueOf({ repository, queue }: Job): JobQueue {
  return queue ?? { name: runQueue, partition: repository };
}
