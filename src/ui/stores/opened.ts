/** The open stores of repositories: opened when they are read first, closed when nobody reads them for a while. */
import { statSync } from "node:fs";
import type { Env } from "../../config/env.ts";
import { AppError } from "../../lib/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { openHomeStore } from "../../journal/home-store.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Payloads } from "../../journal/payloads.ts";
import { findRepository, listRepositories, type StoredRepository } from "./repositories.ts";
import { openStamps } from "./stamps.ts";

export interface OpenedRepository {
  readonly repository: StoredRepository;
  readonly journal: Journal;
  readonly payloads: Payloads;
}

export interface Stores {
  list(): readonly StoredRepository[];
  /** @throws not_found */
  find(id: string): StoredRepository;
  open(id: string): Promise<OpenedRepository>;
  /** Changes whenever runs or gates of the repository may have changed. */
  stampOf(repository: StoredRepository): string;
  /** Closes what nobody has read for a while. */
  closeIdle(): Promise<void>;
  close(): Promise<void>;
}

export interface StoresOptions {
  /** The parent of all state homes. */
  readonly root: string;
  readonly env: Env;
  readonly clock: Clock;
}

const idleMs = 60_000;

interface Entry {
  readonly opened: Promise<OpenedRepository>;
  /** Another one if the state was removed and made again. */
  readonly inode: number | undefined;
  usedAt: number;
}

export function openStores({ root, env, clock }: StoresOptions): Stores {
  const entries = new Map<string, Entry>();
  const stamps = openStamps(clock);

  const find = (id: string): StoredRepository => {
    const found = findRepository(id, root, env);
    if (found !== null) return found;
    throw new AppError("not_found", `this user has no runs of a repository ${id}`, {
      hint: "`mettle clean --all` may have removed them; the list has all that are left",
    });
  };
  const drop = async (id: string): Promise<void> => {
    const entry = entries.get(id);
    entries.delete(id);
    await entry?.opened.then(({ journal }) => journal.close()).catch(() => undefined); // could not be opened
  };

  return {
    list: () => listRepositories(root, env),
    find,
    stampOf: stamps.of,
    async open(id) {
      const repository = find(id);
      const inode = statSync(repository.home.journal, { throwIfNoEntry: false })?.ino;
      if (entries.get(id)?.inode !== inode) await drop(id);
      const known = entries.get(id);
      if (known !== undefined) {
        known.usedAt = clock.now();
        const { journal, payloads } = await known.opened;
        return { repository, journal, payloads };
      }
      const opened = openHomeStore(repository.home, clock).then((store) => ({ repository, ...store }));
      entries.set(id, { opened, inode, usedAt: clock.now() });
      opened.catch(() => entries.delete(id));
      return opened;
    },
    async closeIdle() {
      const gone = [...entries].filter(([, { usedAt }]) => clock.now() - usedAt > idleMs);
      await Promise.all([...gone.map(([id]) => drop(id)), stamps.closeIdle(idleMs)]);
    },
    async close() {
      await Promise.all([...[...entries.keys()].map(drop), stamps.close()]);
    },
  };
}
