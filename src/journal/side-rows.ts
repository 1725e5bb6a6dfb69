import { checksum } from "./checksum.ts";
import type { Owner } from "./owner.ts";
import type { Statements } from "./statements.ts";

export interface ViewRow {
  readonly name: string;
  readonly seq: number;
  /** JSON. */
  readonly value: string;
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

    /** A damaged view counts as missing. */
    view(run: string, name: string): { readonly seq: number; readonly value: unknown } | null {
      const [seq, value, crc] =
        sql.first("SELECT seq, value, crc FROM views WHERE run = ? AND name = ?", run, name) ?? [];
      if (typeof seq !== "number" || typeof value !== "string") return null;
      return crc === checksum(run, name, seq, value) ? { seq, value: JSON.parse(value) } : null;
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
