/** Submits a run to the workers: when it begins, and whenever there may be something to do again, such as after an answer. */
import type { Journal } from "../journal/journal.ts";
import { newId } from "../lib/ids.ts";
import type { Delay, Job, JobClient } from "./job-client.ts";
import { runQueue, type JobQueue } from "./queues.ts";

/** Submitting it twice at the same event changes nothing (SCL-03). @param work what was handed to the workers and is in no event */
export async function submitRun(
  jobs: JobClient,
  journal: Pick<Journal, "head">,
  { work, ...job }: Omit<Job, "key"> & { readonly work?: string | null },
): Promise<void> {
  const { repository, run } = job;
  const at = [await journal.head(run), ...(work == null ? [] : [work])].join("-");
  await jobs.submit(`${repository}/${run}/at-${at}`, job, queueOf(job));
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
