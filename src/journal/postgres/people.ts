/** People and rules on PostgreSQL: one list for the whole database. The user of the store is the one that logged in to it. */
import type { People } from "../people/people.ts";
import type { PostgresStore } from "./store.ts";

const iso = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export function postgresPeople({ sql, write }: Pick<PostgresStore, "sql" | "write">): People {
  const rows = async (text: string, ...values: readonly unknown[]) =>
    (await sql(text, ...values)).map((row) => row.map(String));
  return {
    isLocal: false,
    user: async () => (await rows("SELECT session_user"))[0]?.[0] ?? "",
    list: async () =>
      (await rows(`SELECT name, added_by, ${iso("added_at")} FROM mettle.people ORDER BY name`)).map(
        ([name = "", by = "", at = ""]) => ({ name, added: { by, at } }),
      ),
    rules: async () =>
      (
        await rows(
          `SELECT person, repository, gate, allowed, set_by, ${iso("set_at")} FROM mettle.rules ORDER BY person, repository, gate`,
        )
      ).map(([person = "", repository = "", gate = "", allowed, by = "", at = ""]) => ({
        person,
        repository,
        gate,
        allowed: allowed === "true",
        set: { by, at },
      })),
    named: async (hash) =>
      (await rows("SELECT name FROM mettle.people WHERE token_hash = $1", hash))[0]?.[0] ?? null,
    add: async (name, hash, by) =>
      void (await sql(
        `INSERT INTO mettle.people (name, token_hash, added_by) VALUES ($1, $2, $3)
         ON CONFLICT (name) DO UPDATE SET token_hash = excluded.token_hash, added_by = excluded.added_by, added_at = excluded.added_at`,
        name,
        hash,
        by,
      )),
    remove: (name) =>
      write(
        async (on) => {
          await on("DELETE FROM mettle.people WHERE name = $1", name);
          await on("DELETE FROM mettle.rules WHERE person = $1", name);
        },
        { isRepeatable: true },
      ),
    set: async ({ person, repository, gate, allowed }, by) =>
      void (await sql(
        `INSERT INTO mettle.rules (person, repository, gate, allowed, set_by) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (person, repository, gate) DO UPDATE SET allowed = excluded.allowed, set_by = excluded.set_by, set_at = excluded.set_at`,
        person,
        repository,
        gate,
        allowed,
        by,
      )),
  };
}
