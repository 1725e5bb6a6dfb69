/**
 * Opens the store of a state home, wherever it is: `mettle.db` and files in the state home, or the shared PostgreSQL (SCL-01). The
 * library of PostgreSQL is loaded only for the latter.
 */
import { existsSync } from "node:fs";
import type { StateHome } from "../config/home.ts";
import { storeWaitMs } from "../config/env.ts";
import { currentHost, isAlive } from "../config/owner.ts";
import { urlOf, type SharedPlace } from "../config/store-place.ts";
import type { Clock } from "../lib/clock.ts";
import { filePayloads } from "./file-payloads.ts";
import type { Journal } from "./journal.ts";
import type { KeyRegister } from "./key-register.ts";
import { newsByLooking, type News } from "./news.ts";
import { openObservations, type Observations } from "./observations.ts";
import { localPeople } from "./people/local.ts";
import type { People } from "./people/people.ts";
import { sqliteJournal } from "./sqlite.ts";
import { openStore } from "./store.ts";
import type { Payloads } from "./payloads.ts";
import type { PostgresStore } from "./postgres/store.ts";

export interface HomeStore {
  /** Its `close` closes both. */
  readonly journal: Journal;
  readonly payloads: Payloads;
  /** Null: a local store, which has no register. */
  readonly register: KeyRegister | null;
  /** Of a run; the caller ends it. */
  readonly newsOf: (run: string) => News;
  readonly people: People;
}

/** Whether there may be something to read. Opening a local store would make it. */
export function hasStore({ store, journal }: StateHome): boolean {
  return store.kind === "postgres" || existsSync(journal);
}

/** Opens journal and payloads; makes or migrates them if needed. @throws store_url_missing and the codes of both stores */
export async function openHomeStore(home: StateHome, clock: Clock): Promise<HomeStore> {
  if (home.store.kind === "postgres") return openSharedStore(home.store, clock);
  const store = await openStore({ home: home.root, clock });
  return {
    journal: sqliteJournal(store, { clock, alive: isAlive }),
    people: localPeople(store, clock),
    payloads: filePayloads(home.payloads),
    register: null,
    newsOf: () => newsByLooking,
  };
}

export interface SharedStore extends HomeStore {
  /** The claims of this repository without a sign of life for the lease: `claim` may take them (SCL-05). */
  silentClaims(): Promise<readonly string[]>;
}

/** @throws store_url_missing, and the codes of `openPostgres` */
export async function openSharedStore(place: SharedPlace, clock: Clock): Promise<SharedStore> {
  const store = await openShared(place);
  const [
    { postgresJournal },
    { postgresPayloads },
    { postgresKeys },
    { postgresPeople },
    { silentClaims },
    { newsOf },
  ] = await Promise.all([
    import("./postgres/journal.ts"),
    import("./postgres/payloads.ts"),
    import("./postgres/key-register.ts"),
    import("./postgres/people.ts"),
    import("./postgres/claims.ts"),
    import("./postgres/news.ts"),
  ]);
  const host = { ...currentHost(), home: place.home };
  return {
    journal: postgresJournal(store, { clock, alive: isAlive, host }),
    payloads: postgresPayloads(store),
    register: postgresKeys(store),
    newsOf: (run) => newsOf(urlOf(place), { repository: place.repository, run }),
    people: postgresPeople(store),
    silentClaims: () => silentClaims(store),
  };
}

export async function openHomeObservations(home: StateHome, clock: Clock): Promise<Observations> {
  if (home.store.kind === "local") return openObservations({ home: home.root, clock });
  const { postgresObservations } = await import("./postgres/observations.ts");
  return postgresObservations(await openShared(home.store), { clock });
}

/** Payloads of a program that opens nothing else: the shared store is open during each call only. */
export function homePayloads({ store: place, payloads }: StateHome): Payloads {
  if (place.kind === "local") return filePayloads(payloads);
  const within = async <Value>(use: (payloads: Payloads) => Promise<Value>): Promise<Value> => {
    const { postgresPayloads } = await import("./postgres/payloads.ts");
    const store = await openShared(place);
    try {
      return await use(postgresPayloads(store));
    } finally {
      await store.close();
    }
  };
  return {
    put: (data) => within((shared) => shared.put(data)),
    get: (address) => within((shared) => shared.get(address)),
    text: (address) => within((shared) => shared.text(address)),
    has: (address) => within((shared) => shared.has(address)),
  };
}

/** The caller closes it. @throws store_url_missing, and the codes of `openPostgres` */
export async function openShared(place: SharedPlace): Promise<PostgresStore> {
  const { openPostgres } = await import("./postgres/store.ts");
  return openPostgres({ url: urlOf(place), repository: place.repository, lockTimeoutMs: storeWaitMs() });
}
