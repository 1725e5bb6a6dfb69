import type { Clock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import { checkObservation, type Observations } from "../observations.ts";
import { insertObservations, selectDialogues, selectObservations } from "./observation-rows.ts";
import { isDuplicate } from "./postgres-error.ts";
import type { PostgresStore } from "./store.ts";

/** The port of observations on PostgreSQL. */
export function postgresObservations(
  store: PostgresStore,
  { clock }: { readonly clock: Clock },
): Observations {
  const { repository, sql } = store;
  return {
    async append(entry) {
      checkObservation(entry);
      const at = new Date(clock.now()).toISOString();
      const append = newId(16);
      try {
        return { id: await insertObservations(sql, { repository, at, append }, [entry]), at, ...entry };
      } catch (error) {
        // It ran again after its connection broke, and was written the first time.
        const [row] = isDuplicate(error)
          ? await sql("SELECT id FROM mettle.observations WHERE append = $1", append)
          : [];
        if (row === undefined) throw error;
        return { id: Number(row[0]), at, ...entry };
      }
    },
    query: (pattern, { after = 0, limit = -1 } = {}) => selectObservations(store, { pattern, after, limit }),
    dialogues: (run) => selectDialogues(store, run),
    close: () => store.close(),
  };
}
