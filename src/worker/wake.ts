/** Calls the workers to a run that another program began, answered, resumed or aborted. */
import { urlOf } from "../config/store-place.ts";
import { invariant } from "../lib/assert-never.ts";
import type { FamilyRun } from "../family/family.ts";
import type { OpenHost } from "../run/host.ts";
import { withJobs } from "./job-client.ts";
import { queueOfRole } from "./queues.ts";
import { submitRun } from "./submit-run.ts";

/** @throws store_url_missing and the codes of the store */
export async function wakeWorkers(
  { home, journal }: Pick<OpenHost, "home" | "journal">,
  { run, settings, family: { handover } }: Pick<FamilyRun, "run" | "settings" | "family">,
): Promise<void> {
  const { store } = home;
  invariant(store.kind === "postgres", `run ${run} is for workers, so it is in a shared store`);
  const { repository } = store;
  const queue = handover === null ? undefined : queueOfRole(settings, handover.role);
  await withJobs(urlOf(store), (jobs) => submitRun(jobs, journal, { repository, run, queue }));
}
