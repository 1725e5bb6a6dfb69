import { conflict, jsonOf, runBusy } from "../journal/journal-error.ts";
import { sessionTaken } from "../journal/dialogues.ts";
import { checkObservation } from "../journal/observations.ts";
import type { Owner } from "../journal/owner.ts";
import { claimName, type Journal, type StoredEvent } from "../journal/journal.ts";
import type { Clock } from "../lib/clock.ts";

export interface MemoryJournalOptions {
  readonly clock: Clock;
  /** Default: every owner is alive. */
  readonly alive?: (owner: Owner) => boolean;
}

interface StoredLine {
  readonly at: string;
  readonly type: string;
  readonly json: string;
}

/** The Journal port in memory: like SQLite, but not durable. */
export function memoryJournal({ clock, alive = () => true }: MemoryJournalOptions): Journal {
  const kept = new Map<string, readonly StoredLine[]>();
  const claims = new Map<string, { readonly owner: Owner }>();
  const dialogues = new Set<string>();
  const ended = new Set<string>();
  const views = new Map<string, Map<string, { readonly seq: number; readonly value: string }>>();
  const linesOf = (run: string): readonly StoredLine[] => kept.get(run) ?? [];
  const read = (run: string, after: number): readonly StoredEvent[] =>
    linesOf(run)
      .slice(after)
      .map(({ at, type, json }, index) => ({
        run,
        seq: after + index + 1,
        at,
        type,
        data: JSON.parse(json),
      }));

  return {
    async append(run, after, events, { observations = [], opens = [], ends = false } = {}) {
      const lines = linesOf(run);
      if (lines.length !== after) throw conflict(run, after, lines.length);
      for (const entry of observations) checkObservation(entry);
      for (const { name } of opens) if (dialogues.has(name)) throw sessionTaken(name);
      for (const { name } of opens) dialogues.add(name);
      const at = new Date(clock.now()).toISOString();
      const added = events.map(({ type, data }) => ({ at, type, json: jsonOf(data, type) }));
      if (added.length > 0) kept.set(run, [...lines, ...added]);
      if (ends) ended.add(run);
      return read(run, after);
    },
    read: async (run, after = 0) => read(run, after),
    head: async (run) => linesOf(run).length,
    runs: async (newest) => [...kept.keys()].slice(newest === undefined ? 0 : -newest),
    runsNamed: async (prefix, max) =>
      [...kept.keys()]
        .filter((run) => run.startsWith(prefix))
        .toSorted((a, b) => (a < b ? -1 : 1))
        .slice(0, max),
    openRuns: async () => [...kept.keys()].filter((run) => !ended.has(run)),
    newestRun: async () => [...kept.keys()].at(-1) ?? null,

    async claim(run, owner, part) {
      const name = claimName(run, part);
      const holder = claims.get(name);
      if (holder !== undefined && alive(holder.owner)) throw runBusy(run, holder.owner);
      const held = { owner: { pid: owner.pid, started: owner.started } };
      claims.set(name, held);
      return {
        run,
        lost: new AbortController().signal,
        confirm: async () => undefined,
        release: async () => {
          if (claims.get(name) === held) claims.delete(name);
        },
      };
    },
    async owner(run) {
      const holder = claims.get(run)?.owner;
      return holder !== undefined && alive(holder) ? holder : null;
    },

    async readView(run, name) {
      const view = views.get(run)?.get(name);
      if (view === undefined || view.seq > linesOf(run).length) return null;
      return { seq: view.seq, value: JSON.parse(view.value) };
    },
    async writeView(run, name, seq, value) {
      const known = views.get(run) ?? new Map<string, { readonly seq: number; readonly value: string }>();
      views.set(run, known);
      if ((known.get(name)?.seq ?? 0) <= seq) known.set(name, { seq, value: jsonOf(value) });
    },
    deleteViews: async () => views.clear(),
    close: async () => undefined,
  };
}
