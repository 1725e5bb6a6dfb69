/** Calls the workers to a run that another program began, answered, resumed or aborted. */
import { urlOf } from "../config/store-place.ts";
import { invariant } from "../lib/assert-never.ts";
import type { FamilyRun } from "../family/family.ts";
import { readRef } from "../git/refs.ts";
import { planRef } from "../run/run-remote.ts";
import type { OpenHost } from "../run/host.ts";
import { withJobs } from "./job-client.ts";
import { queueOfRole } from "./queues.ts";
import { submitRun } from "./submit-run.ts";

/** @throws store_url_missing and the codes of the store */
export async function wakeWorkers(
  { home, journal }: Pick<OpenHost, "home" | "journal">,
  context: Pick<FamilyRun, "run" | "settings" | "family" | "repository">,
): Promise<void> {
  const { run, settings } = context;
  const { handover } = context.family;
  const { store } = home;
  invariant(store.kind === "postgres", `run ${run} is for workers, so it is in a shared store`);
  const { repository } = store;
  const job =
    handover === null
      ? { repository, run }
      : {
          repository,
          run,
          queue: queueOfRole(settings, handover.role),
          work: await readRef(context.repository, planRef(run)),
        };
  await withJobs(urlOf(store), (jobs) => submitRun(jobs, journal, job));
}
