/** Opens the queues of the shared store, whose URL is in the environment. */
import { storeUrl, storeVariable } from "../../config/env.ts";
import { AppError } from "../../lib/errors.ts";
import { openJobs, type JobClient } from "../../worker/job-client.ts";

/** @throws store_url_missing */
export async function withJobs<Value>(work: (jobs: JobClient) => Promise<Value>): Promise<Value> {
  const url = storeUrl();
  if (url === null)
    throw new AppError("store_url_missing", "queues are in PostgreSQL, and no URL says where", {
      hint: `export ${storeVariable}=postgres://USER:PASSWORD@HOST:PORT/DATABASE`,
    });
  const jobs = await openJobs(url);
  try {
    return await work(jobs);
  } finally {
    await jobs.close();
  }
}
