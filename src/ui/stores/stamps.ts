/** A text for each repository that changes with its runs: from its files, or from the connection that listens to a shared store. */
import { urlOf } from "../../config/store-place.ts";
import { AppError } from "../../lib/errors.ts";
import { fileStamp } from "../../lib/files.ts";
import type { Clock } from "../../lib/clock.ts";
import { listenToChanges, type Changes } from "../../journal/postgres/changes.ts";
import { gatesStamp } from "./gates-stamp.ts";
import type { StoredRepository } from "./repositories.ts";

export interface Stamps {
  /**
   * Changes whenever a process has written to the journal, or a gate of a plan was opened or answered; reading it costs three calls
   * of the system, and one for each plan.
   */
  of(repository: StoredRepository): string;
  /** Ends connections whose stamps were not read for a while. */
  closeIdle(idleMs: number): Promise<void>;
  close(): Promise<void>;
}

interface Listening {
  readonly changes: Changes;
  askedAt: number;
}

export function openStamps(clock: Clock): Stamps {
  const byUrl = new Map<string, Listening>();
  const changesAt = (url: string): Changes => {
    const known = byUrl.get(url) ?? { changes: listenToChanges({ url }), askedAt: 0 };
    byUrl.set(url, known);
    known.askedAt = clock.now();
    return known.changes;
  };
  const end = (gone: readonly (readonly [string, Listening])[]) =>
    Promise.all(
      gone.map(async ([url, { changes }]) => {
        byUrl.delete(url);
        await changes.close();
      }),
    );

  /** A store without a usable URL never changes: opening it gives the reason. */
  const storeStamp = ({ store, journal }: StoredRepository["home"]): string => {
    if (store.kind === "local") return [journal, `${journal}-wal`].map(fileStamp).join(" ");
    try {
      return changesAt(urlOf(store)).stampOf(store.repository);
    } catch (error) {
      if (error instanceof AppError) return error.code;
      throw error;
    }
  };

  return {
    of: ({ home, folder }) => `${storeStamp(home)} ${gatesStamp(folder)}`,
    async closeIdle(idleMs) {
      await end([...byUrl].filter(([, { askedAt }]) => clock.now() - askedAt > idleMs));
    },
    async close() {
      await end([...byUrl]);
    },
  };
}
