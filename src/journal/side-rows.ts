import { checksum } from "./checksum.ts";
import type { Owner } from "./owner.ts";
import type { SqlRow, Statements } from "./statements.ts";

export interface ViewRow {
  readonly name: string;
  readonly seq: number;
  /** JSON. */
  readonly value: string;
}

export interface View {
  readonly seq: number;
  readonly value: unknown;
}

/** The view of a row `seq, value, crc`; a damaged one counts as missing. */
export function viewOf({ run, name }: { readonly run: string; readonly name: string }, row: SqlRow | null) {
  const [seq, value, crc] = row ?? [];
  if (typeof seq !== "number" || typeof value !== "string") return null;
  return crc === checksum(run, name, seq, value) ? ({ seq, value: JSON.parse(value) } satisfies View) : null;
}

/** The rows of claims and views, which may be lost without losing history. */
export function sideRows(sql: Statements) {
  return {
    holder(run: string): Owner | null {
      const [pid, started] = sql.first("SELECT pid, started FROM claims WHERE run = ?", run) ?? [];
      return typeof pid === "number" && typeof started === "string" ? { pid, started } : null;
    },

    insertClaim(run: string, { pid, started }: Owner, token: string): void {
      sql.run(
        "INSERT OR REPLACE INTO claims (run, pid, started, token) VALUES (?, ?, ?, ?)",
        run,
        pid,
        started,
        token,
      );
    },

    release(run: string, token: string): void {
      sql.run("DELETE FROM claims WHERE run = ? AND token = ?", run, token);
    },

    view(run: string, name: string): View | null {
      return viewOf(
        { run, name },
        sql.first("SELECT seq, value, crc FROM views WHERE run = ? AND name = ?", run, name),
      );
    },

    writeView(run: string, { name, seq, value }: ViewRow): void {
      sql.run(
        `INSERT INTO views (run, name, seq, value, crc) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (run, name) DO UPDATE SET seq = excluded.seq, value = excluded.value, crc = excluded.crc
         WHERE excluded.seq >= views.seq`,
        run,
        name,
        seq,
        value,
        checksum(run, name, seq, value),
      );
    },

    deleteViews(): void {
      sql.run("DELETE FROM views");
    },
  };
}
