/** Submits a run to the workers: when it begins, and whenever there may be something to do again, such as after an answer. */
import type { Journal } from "../journal/journal.ts";
import { newId } from "../lib/ids.ts";
import type { Delay, Job, JobClient } from "./job-client.ts";
import { runQueue } from "./queues.ts";

/** Submitting it twice at the same event changes nothing (SCL-03). */
export async function submitRun(
  jobs: JobClient,
  journal: Pick<Journal, "head">,
  { repository, run }: Job,
): Promise<void> {
  const id = `${repository}/${run}/at-${await journal.head(run)}`;
  await jobs.submit(id, { repository, run }, { name: runQueue, partition: repository });
}

/** Submits the run of a job that ends and leaves something to do. */
export async function submitAgain(jobs: JobClient, { repository, run }: Job, delay?: Delay): Promise<void> {
  const id = `${repository}/${run}/again-${newId(16)}`;
  await jobs.submit(id, { repository, run }, { name: runQueue, partition: repository }, delay);
}
