/**
 * Notices when runs of a repository change, on any host: one connection for each URL listens to announcements (announce.ts), and looks
 * now and then for changes whose announcement was lost. While it is broken no change is noticed, so every stamp changes when it is there
 * again.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "pg";
import { newId } from "../../lib/ids.ts";
import { placeOf } from "./address.ts";
import { channelKey, runKey } from "./announce.ts";
import { bounded, ignoreBreaks } from "./closing.ts";

export interface ChangesOptions {
  readonly url: string;
  /** Between two attempts to connect. */
  readonly pauseMs?: number;
  /** How often a silent connection is tried, and changes that were not announced are looked for. */
  readonly tryMs?: number;
}

export interface ChangedRun {
  readonly repository: string;
  readonly run: string;
}

export interface Changes {
  /** Another text whenever a run of the repository may have changed. */
  stampOf(repository: string): string;
  /** Calls `wake` whenever the run may have changed, also when a new connection listens. @returns ends that */
  onChange(changed: ChangedRun, wake: () => void): () => void;
  /** Whether changes are announced now. */
  isListening(): boolean;
  close(): Promise<void>;
}

const answerMs = 5000;

/** Returns at once; the connection is made meanwhile. @throws config_invalid for what is no URL of PostgreSQL */
export function listenToChanges({ url, pauseMs = 1000, tryMs = 10_000 }: ChangesOptions): Changes {
  placeOf(url); // pg's own error would quote the URL
  const ended = new AbortController();
  const counts = new Map<string, number>();
  const count = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  /** Of the repositories whose stamps were read: their open runs when they were last looked at; null: not yet. */
  const seen = new Map<string, string | null>();
  const wakes = new Map<string, Set<() => void>>();
  const wakeAll = (isMeant: (name: string) => boolean) => {
    for (const [name, some] of wakes) if (isMeant(name)) for (const wake of some) wake();
  };
  let connection = newId();
  let isListening = false;
  let client: Client | null = null;

  const listen = async (): Promise<void> => {
    const one = await connect(url);
    client = one;
    const broken = new Promise<void>((resolve) => one.once("end", resolve).on("error", () => resolve()));
    one.on("notification", ({ payload = "" }) => {
      const [key = "", ...runs] = payload.split(" ");
      count(key);
      if (runs.length === 0) wakeAll((name) => name.startsWith(key));
      for (const run of runs) for (const wake of wakes.get(`${key} ${run}`) ?? []) wake();
    });
    try {
      await one.query("LISTEN mettle");
      connection = newId();
      isListening = true;
      wakeAll(() => true);
      // A connection that broke without a word never ends by itself.
      for (let isBroken = false; !isBroken && !ended.signal.aborted;) {
        isBroken = await Promise.race([broken.then(() => true), rest(tryMs).then(() => false)]);
        if (isBroken || ended.signal.aborted) continue;
        for (const [repository, state] of await statesOf(one, [...seen.keys()])) {
          if (![state, null].includes(seen.get(repository) ?? null)) count(channelKey(repository));
          seen.set(repository, state);
        }
      }
    } finally {
      isListening = false;
      await bounded(one.end());
    }
  };
  const rest = (ms: number) =>
    pause(ms, undefined, { ref: false, signal: ended.signal }).catch(() => undefined);
  const keepListening = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await listen().catch(() => undefined); // readers of the store report what is wrong
      await rest(pauseMs);
    }
  };
  const listening = keepListening();

  return {
    stampOf(repository) {
      if (!seen.has(repository)) seen.set(repository, null);
      return `${connection} ${counts.get(channelKey(repository)) ?? 0}`;
    },
    onChange({ repository, run }, wake) {
      const name = `${channelKey(repository)} ${runKey(run)}`;
      const some = wakes.get(name) ?? new Set();
      wakes.set(name, some.add(wake));
      return () => {
        some.delete(wake);
        if (some.size === 0 && wakes.get(name) === some) wakes.delete(name);
      };
    },
    isListening: () => isListening,
    async close() {
      ended.abort();
      if (client !== null) await bounded(client.end());
      await listening;
    },
  };
}

/** Number and events of the open runs of each repository: it changes with all that happens but what is added to an ended run. */
async function statesOf(
  client: Client,
  repositories: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows: tables } = await client.query(
    "SELECT FROM pg_tables WHERE schemaname = 'mettle' AND tablename = 'runs'",
  );
  if (tables.length === 0) return new Map(); // no run was started yet
  const { rows } = await client.query<{ repository: string; state: string }>(
    `SELECT repository, count(*) || ' ' || sum(head) AS state FROM mettle.runs
     WHERE NOT ended AND repository = ANY($1) GROUP BY repository`,
    [repositories],
  );
  const found = new Map(rows.map(({ repository, state }) => [repository, state]));
  return new Map(repositories.map((repository) => [repository, found.get(repository) ?? "0 0"]));
}

async function connect(url: string): Promise<Client> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({
    connectionString: url,
    application_name: "mettle",
    keepAlive: true,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  });
  ignoreBreaks(client); // `end` follows
  try {
    await client.connect();
    return client;
  } catch (error) {
    await bounded(client.end());
    throw error;
  }
}
