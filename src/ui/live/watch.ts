/**
 * Notices what changes in the journals of all repositories. While nobody looks, nothing is read; while nothing changes, each look
 * costs a few calls of the system for each repository.
 */
import type { Clock } from "../../lib/clock.ts";
import type { Stores } from "../stores/opened.ts";
import type { StoredRepository } from "../stores/repositories.ts";
import type { RepositoryRow } from "../../page/app/wire.ts";
import { repositoryRow } from "../runs.ts";

/** Milliseconds between two looks at the repositories whose runs somebody watches. */
const lookMs = 250;
/** Every so many looks all repositories are looked at, and whether the processes that drive runs are alive. */
const looksPerRound = 4;

export interface Watch {
  /** Rows of repositories that changed after this version; null: the repository was removed. */
  since(version: number): Changes;
  /** Looks at everything now, whether or not somebody listens. */
  look(): Promise<void>;
  /** @param repository looked at more often @returns a function that ends it */
  listen(listener: () => void, repository: string | null): () => void;
}

export interface Changes {
  readonly version: number;
  readonly rows: readonly RepositoryRow[];
  readonly removed: readonly string[];
}

interface Known {
  stamp: string;
  /** The row as JSON, to see whether it changed; null: removed. */
  json: string | null;
  row: RepositoryRow | null;
  version: number;
}

export function watchRuns(stores: Stores, { clock, signal }: { clock: Clock; signal: AbortSignal }): Watch {
  const known = new Map<string, Known>();
  const listeners = new Map<() => void, string | null>();
  let repositories: readonly StoredRepository[] = [];
  let version = 0;
  let isLooking = false;
  let looks: Promise<void> = Promise.resolve();

  const note = (id: string, stamp: string, row: RepositoryRow | null): void => {
    const json = row === null ? null : JSON.stringify(row);
    const before = known.get(id);
    if (before !== undefined && before.json === json) {
      before.stamp = stamp;
      return;
    }
    version += 1;
    known.set(id, { stamp, json, row, version });
  };

  const isDriven = (row: RepositoryRow | null): boolean =>
    row?.runs.some(({ status }) => status === "running") ?? false;

  const lookNow = async (isRound: boolean): Promise<void> => {
    const before = version;
    const followed = new Set(listeners.values());
    let isWritten = false;
    if (isRound) repositories = stores.list();
    for (const repository of repositories) {
      if (!isRound && !followed.has(repository.id)) continue;
      const stamp = `${repository.folder} ${stores.stampOf(repository)}`;
      const last = known.get(repository.id);
      if (last?.stamp === stamp && !(isRound && isDriven(last.row))) continue;
      isWritten = true;
      note(repository.id, stamp, await repositoryRow(stores, repository));
    }
    const ids = new Set(repositories.map(({ id }) => id));
    for (const id of known.keys()) if (!ids.has(id)) note(id, "", null);
    if (isRound) await stores.closeIdle();
    if (isWritten || version !== before) for (const listener of listeners.keys()) listener();
  };

  /** One look at a time. */
  const look = (isRound: boolean): Promise<void> => {
    const next = looks.then(() => lookNow(isRound));
    looks = next.catch(() => undefined);
    return next;
  };

  const keepLooking = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    for (let count = 0; listeners.size > 0 && !signal.aborted; count += 1) {
      await look(count % looksPerRound === 0).catch(() => undefined); // the next look tries again
      await clock.sleep(lookMs, signal);
    }
    isLooking = false;
  };

  return {
    since(given) {
      const changed = [...known].filter(([, entry]) => entry.version > given);
      return {
        version,
        rows: changed.flatMap(([, { row }]) => row ?? []),
        removed: changed.flatMap(([id, { row }]) => (row === null ? [id] : [])),
      };
    },
    look: () => look(true),
    listen(listener, repository) {
      listeners.set(listener, repository);
      void keepLooking();
      return () => listeners.delete(listener);
    },
  };
}
