/** Journals a fact about a run that this process has not opened. */
import { openSharedStore } from "../journal/home-store.ts";
import { systemClock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { canonicalJson } from "../lib/hash.ts";
import type { RunEvent } from "../log/run-event.ts";
import { toNewEvent } from "../run/settlement.ts";
import type { Job } from "./job-client.ts";
import { storeOf, type WorkerPlace } from "./place.ts";

/** @param options `once`: not if the run has the same fact already @throws the codes of the store */
export async function noteFact(
  place: WorkerPlace,
  { repository, run }: Job,
  fact: RunEvent,
  { once = false }: { readonly once?: boolean } = {},
): Promise<void> {
  const event = toNewEvent(fact);
  const { journal } = await openSharedStore(storeOf(place, repository), systemClock);
  try {
    for (let attempt = 1; ; attempt++) {
      const events = await journal.read(run);
      const isKnown = events.some(
        ({ type, data }) => type === event.type && canonicalJson(data) === canonicalJson(event.data),
      );
      if (once && isKnown) return;
      try {
        await journal.append(run, events.length, [event]);
        return;
      } catch (error) {
        const isConflict = error instanceof AppError && error.code === "journal_conflict";
        if (!isConflict || attempt === maxAttempts) throw error;
      }
    }
  } finally {
    await journal.close();
  }
}

const maxAttempts = 100;
