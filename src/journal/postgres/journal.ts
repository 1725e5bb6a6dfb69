import type { Clock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import { checksum } from "../checksum.ts";
import { claimLost, jsonOf } from "../journal-error.ts";
import type { Journal } from "../journal.ts";
import { checkObservation } from "../observations.ts";
import { viewOf } from "../side-rows.ts";
import { announcer } from "./announce.ts";
import { claims, type ClaimDeps } from "./claims.ts";
import { eventRows } from "./event-rows.ts";
import { closeDialogue, insertObservations, openDialogue } from "./observation-rows.ts";
import type { Sql } from "./migrate.ts";
import { isOutOfOrder } from "./postgres-error.ts";
import type { PostgresStore } from "./store.ts";

export interface PostgresJournalDeps extends ClaimDeps {
  readonly clock: Clock;
}

/** The Journal port on PostgreSQL; it defines the transactions. */
export function postgresJournal(store: PostgresStore, { clock, ...deps }: PostgresJournalDeps): Journal {
  const { repository, sql } = store;
  const rows = eventRows(store);
  const { claim, owner, ...claimed } = claims(store, deps);
  const { announce, close: endAnnouncing } = announcer(store);

  return {
    async append(run, after, events, { observations = [], opens = [], closes = [], ends = false } = {}) {
      for (const entry of observations) checkObservation(entry);
      const at = new Date(clock.now()).toISOString();
      const append = newId(16);
      const writer = { run, append, token: claimed.tokenOf(run) };
      const lines = events.map(({ type, data }, index) => ({
        run,
        seq: after + index + 1,
        at,
        type,
        json: jsonOf(data, type),
      }));
      const sides = observations.length + opens.length + closes.length + (ends ? 1 : 0);
      const written = { repository, at };
      const writeSides = (on: Sql) => [
        ...(ends ? [rows.end(on, run)] : []),
        ...opens.map((dialogue) => openDialogue(on, written, { ...dialogue, run })),
        ...(observations.length > 0
          ? [insertObservations(on, { ...written, append: null }, observations)]
          : []),
        ...closes.map((name) => closeDialogue(on, written, name)),
      ];
      const expectClaim = async (on: Sql): Promise<void> => {
        if (writer.token === null || (await rows.isCurrent(on, writer.token))) return;
        claimed.taken(run);
        throw claimLost(run);
      };
      try {
        if (lines.length === 0) await rows.expectHead(run, after);
        if (sides === 0 && lines.length > 0) await rows.insert(sql, lines, writer);
        if (sides > 0 && lines.length > 0)
          await store.writeAtOnce((on) => [rows.insert(on, lines, writer), ...writeSides(on)]);
        if (sides > 0 && lines.length === 0)
          await store.write(
            async (on) => {
              await expectClaim(on);
              await Promise.all(writeSides(on));
            },
            // Without an event nothing shows that they are written already.
            { isRepeatable: false },
          );
      } catch (error) {
        if (!isOutOfOrder(error)) throw error;
        if (!(await rows.isWritten(run, after, append))) {
          await expectClaim(sql);
          await rows.expectHead(run, after);
          throw await rows.damage(run, error); // the tables contradict themselves
        }
      }
      if (lines.length > 0) announce(run);
      return lines.map(({ json, ...line }) => ({ ...line, data: JSON.parse(json) }));
    },

    read: (run, after = 0) => rows.events(run, after),
    head: async (run) => (await rows.ends(run)).newest,
    runs: (newest) => rows.runs(newest),
    runsNamed: (prefix, max) => rows.runsNamed(prefix, max),
    openRuns: () => rows.openRuns(),
    newestRun: () => rows.newestRun(),
    claim,
    owner,

    async readView(run, name) {
      const [row] = await sql(
        `SELECT seq, value, crc,
           (SELECT coalesce(max(head), 0) FROM mettle.runs WHERE repository = $1 AND run = $2)
         FROM mettle.views WHERE repository = $1 AND run = $2 AND name = $3`,
        repository,
        run,
        name,
      );
      const view = viewOf({ run, name }, row ?? null);
      // A view ahead of the events belongs to other events.
      return view === null || view.seq > Number(row?.[3]) ? null : view;
    },
    async writeView(run, name, seq, value) {
      const json = jsonOf(value);
      await sql(
        `INSERT INTO mettle.views AS view (repository, run, name, seq, value, crc) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (repository, run, name) DO UPDATE
         SET seq = excluded.seq, value = excluded.value, crc = excluded.crc WHERE excluded.seq >= view.seq`,
        repository,
        run,
        name,
        seq,
        json,
        checksum(run, name, seq, json),
      );
    },
    deleteViews: async () => void (await sql("DELETE FROM mettle.views WHERE repository = $1", repository)),
    async close() {
      claimed.stop();
      await endAnnouncing();
      await store.close();
    },
  };
}
