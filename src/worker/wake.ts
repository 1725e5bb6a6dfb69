/** Calls the workers to a run that another program began, answered, resumed or aborted. */
import { urlOf } from "../config/store-place.ts";
import { AppError } from "../lib/errors.ts";
import type { OpenHost } from "../run/host.ts";
import { openJobs } from "./job-client.ts";
import { submitRun } from "./submit-run.ts";

/** @throws workers_need_store, store_url_missing and the codes of the store */
export async function wakeWorkers(
  { home, journal }: Pick<OpenHost, "home" | "journal">,
  run: string,
): Promise<void> {
  const { store } = home;
  if (store.kind !== "postgres")
    throw new AppError(
      "workers_need_store",
      `run ${run} is for workers, which find it only in a shared store`,
      {
        hint: "call the command where the repository's runs are in the shared store",
      },
    );
  const jobs = await openJobs(urlOf(store));
  try {
    await submitRun(jobs, journal, { repository: store.repository, run });
  } finally {
    await jobs.close();
  }
}
