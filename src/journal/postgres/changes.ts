/**
 * Notices when runs of a repository change, on any host: one connection for each URL listens to what the trigger `events_notify`
 * sends. While it is broken no change is noticed, so every stamp changes when it is there again.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "pg";
import { newId } from "../../lib/ids.ts";
import { sha256 } from "../../lib/hash.ts";
import { placeOf } from "./address.ts";
import { bounded, ignoreBreaks } from "./closing.ts";

export interface ChangesOptions {
  readonly url: string;
  /** Between two attempts to connect. */
  readonly pauseMs?: number;
  /** How often a silent connection is tried. */
  readonly tryMs?: number;
}

export interface Changes {
  /** Another text whenever a run of the repository may have changed. */
  stampOf(repository: string): string;
  close(): Promise<void>;
}

const answerMs = 5000;

/** Returns at once; the connection is made meanwhile. @throws config_invalid for what is no URL of PostgreSQL */
export function listenToChanges({ url, pauseMs = 1000, tryMs = 10_000 }: ChangesOptions): Changes {
  placeOf(url); // pg's own error would quote the URL
  const ended = new AbortController();
  const counts = new Map<string, number>();
  let connection = newId();
  let client: Client | null = null;

  const listen = async (): Promise<void> => {
    const one = await connect(url);
    client = one;
    const broken = new Promise<void>((resolve) => one.once("end", resolve).on("error", () => resolve()));
    one.on("notification", ({ payload = "" }) => counts.set(payload, (counts.get(payload) ?? 0) + 1));
    try {
      await one.query("LISTEN mettle");
      connection = newId();
      // A connection that broke without a word never ends by itself.
      for (let isBroken = false; !isBroken && !ended.signal.aborted;) {
        isBroken = await Promise.race([broken.then(() => true), rest(tryMs).then(() => false)]);
        if (!isBroken && !ended.signal.aborted) await one.query("SELECT 1");
      }
    } finally {
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
    stampOf: (repository) => `${connection} ${counts.get(channelKey(repository)) ?? 0}`,
    async close() {
      ended.abort();
      if (client !== null) await bounded(client.end());
      await listening;
    },
  };
}

/** What the trigger sends, too: a name may be longer than a notification. */
export function channelKey(repository: string): string {
  return sha256(repository).slice("sha256:".length);
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
