import { onTestFinished } from "vitest";
import { postgresJournal } from "../../src/journal/postgres/journal.ts";
import type { Journal } from "../../src/journal/journal.ts";
import { openPostgres, type PostgresStore } from "../../src/journal/postgres/store.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { claimHost } from "./postgres.ts";

interface JournalOfHost {
  readonly url: string;
  /** Of its host. */
  readonly name?: string;
  /** Whether it sees processes of its host live: a dead one's claim is taken at once. */
  readonly alive?: boolean;
  readonly lockTimeoutMs?: number;
}

/** Opens the journal of one host in a store that several hosts share, until the test ends. */
export async function openJournalOfHost({
  url,
  name,
  alive = true,
  ...options
}: JournalOfHost): Promise<{ readonly journal: Journal; readonly store: PostgresStore }> {
  const store = await openPostgres({ url, repository: "mine", ...options });
  const journal = postgresJournal(store, { clock: systemClock, alive: () => alive, host: claimHost(name) });
  onTestFinished(() => journal.close());
  return { store, journal };
}
