import type { Clock } from "../lib/clock.ts";
import { newId } from "../lib/ids.ts";
import { closeDialogue, openDialogue } from "./dialogues.ts";
import { eventRows } from "./event-rows.ts";
import { jsonOf, runBusy } from "./journal-error.ts";
import type { Owner } from "./owner.ts";
import { claimName, type Journal, type RunClaim } from "./journal.ts";
import { checkObservation, insertObservation } from "./observations.ts";
import { sideRows } from "./side-rows.ts";
import { statements } from "./statements.ts";
import type { Store } from "./store.ts";

export interface JournalDeps {
  readonly clock: Clock;
  /** Whether a claim's owner still runs; see config/owner.ts. */
  readonly alive: (owner: Owner) => boolean;
}

/** The Journal port on SQLite; it defines the transactions. */
export function sqliteJournal(store: Store, { clock, alive }: JournalDeps): Journal {
  const sql = statements(store.db);
  const rows = eventRows(store, sql);
  const side = sideRows(sql);

  return {
    async append(run, after, events, { observations = [], opens = [], closes = [], ends = false } = {}) {
      for (const entry of observations) checkObservation(entry);
      const at = new Date(clock.now()).toISOString();
      const lines = events.map(({ type, data }, index) => ({
        run,
        seq: after + index + 1,
        at,
        type,
        json: jsonOf(data, type),
      }));
      await store.write(() => {
        if (lines.length === 0) rows.expectHead(run, after);
        for (const line of lines) rows.insert(line, after);
        if (ends) rows.end(run);
        for (const dialogue of opens) openDialogue(sql, { ...dialogue, run, at });
        for (const entry of observations) insertObservation(store, { ...entry, at });
        for (const name of closes) closeDialogue(sql, name, at);
      });
      return lines.map(({ json, ...line }) => ({ ...line, data: JSON.parse(json) }));
    },

    read: (run, after = 0) => store.read(() => rows.events(run, after)),
    head: (run) => store.select(() => rows.ends(run).newest),
    runs: (newest) => store.select(() => rows.runs(newest)),
    runsNamed: (prefix, max) => store.select(() => rows.runsNamed(prefix, max)),
    openRuns: () => store.select(() => rows.openRuns()),
    newestRun: () => store.select(() => rows.newestRun()),

    claim: (run, owner, part) =>
      store.write(() => {
        const name = claimName(run, part);
        const holder = side.holder(name);
        if (holder !== null && alive(holder)) throw runBusy(run, holder);
        const token = newId(16);
        side.insertClaim(name, owner, token);
        const { signal: lost } = new AbortController();
        const release = () => store.write(() => side.release(name, token));
        const confirm = () => Promise.resolve(); // a living owner keeps its claim
        return { run, lost, confirm, release } satisfies RunClaim;
      }),

    owner: async (run) => {
      const holder = await store.select(() => side.holder(run));
      return holder !== null && alive(holder) ? holder : null;
    },

    readView: (run, name) =>
      store.read(() => {
        const view = side.view(run, name);
        // A view ahead of the events belongs to other events.
        return view === null || view.seq > rows.ends(run).newest ? null : view;
      }),
    writeView: (run, name, seq, value) =>
      store.writeCache(() => side.writeView(run, { name, seq, value: jsonOf(value) })),
    deleteViews: () => store.writeCache(() => side.deleteViews()),
    close: () => store.close(),
  };
}
