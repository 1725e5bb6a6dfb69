import type { Clock } from "../lib/clock.ts";
import type { Owner } from "./owner.ts";
import type { Journal } from "./journal.ts";
import { sqliteJournal } from "./sqlite.ts";
import { openStore } from "./store.ts";

export interface JournalOptions {
  /** The state home of the repository: the folder of `mettle.db`. */
  readonly home: string;
  readonly clock: Clock;
  /** Whether a claim's owner still runs; see config/owner.ts. */
  readonly alive: (owner: Owner) => boolean;
  readonly lockTimeoutMs?: number;
}

/** Opens the journal of a repository; creates or migrates it if needed. */
export async function openJournal({ clock, alive, ...options }: JournalOptions): Promise<Journal> {
  return sqliteJournal(await openStore({ clock, ...options }), { clock, alive });
}
