/**
 * Announces to listeners (changes.ts) which runs of a repository changed. Never within an append: the server lets only one transaction
 * with a notification commit at a time, and each of them waits for the disk (SCL-11).
 */
import { setTimeout as pause } from "node:timers/promises";
import { sha256 } from "../../lib/hash.ts";
import { bounded } from "./closing.ts";
import type { PostgresStore } from "./store.ts";

/** Appends in that time have one announcement. */
const everyMs = 200;
/** A notification has at most 8,000 bytes. One without runs is about all of the repository. */
const maxRuns = 400;

export interface Announcer {
  /** Returns at once. An announcement that is lost, with this process or the connection, is noticed by listeners later. */
  announce(run: string): void;
  /** Sends what is not sent yet. */
  close(): Promise<void>;
}

export function announcer({ repository, sql }: PostgresStore): Announcer {
  const key = channelKey(repository);
  const closing = new AbortController();
  const changed = new Set<string>();
  let sending: Promise<void> | null = null;

  const send = async (): Promise<void> => {
    while (changed.size > 0) {
      const payload = [key, ...(changed.size > maxRuns ? [] : changed)].join(" ");
      changed.clear();
      // A transaction of its own, which does not wait for the disk.
      await sql(`SET LOCAL synchronous_commit = off; NOTIFY mettle, '${payload}'`).catch(() => undefined); // appends report what is wrong with the store
      await pause(everyMs, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
    }
    sending = null;
  };

  return {
    announce(run) {
      changed.add(runKey(run));
      sending ??= send();
    },
    async close() {
      closing.abort();
      if (sending !== null) await bounded(sending);
    },
  };
}

/** Names a repository in a notification, for which its name may be too long. */
export function channelKey(repository: string): string {
  return sha256(repository).slice("sha256:".length);
}

/** Names a run beside its repository. */
export function runKey(run: string): string {
  return sha256(run).slice(-16);
}
