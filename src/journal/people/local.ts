/** People and rules in SQLite. The user of the store is the user of the operating system. */
import { userInfo } from "node:os";
import type { Clock } from "../../lib/clock.ts";
import type { People } from "./people.ts";
import { selectAll } from "../statements.ts";
import type { Store } from "../store.ts";

export function localPeople({ db, read, write }: Store, clock: Clock): People {
  const rows = (text: string, ...values: readonly unknown[]) =>
    read(() => selectAll(db, text, values).map((row) => (row ?? []).map(String)));
  const run = (...lines: readonly (readonly [text: string, ...values: readonly unknown[]])[]) =>
    write(() => {
      for (const [text, ...values] of lines) db.prepare(text).run(...values);
    });
  const now = () => new Date(clock.now()).toISOString();
  return {
    isLocal: true,
    user: () => Promise.resolve(userInfo().username),
    list: async () =>
      (await rows("SELECT name, added_by, added_at FROM people ORDER BY name")).map(
        ([name = "", by = "", at = ""]) => ({ name, added: { by, at } }),
      ),
    rules: async () =>
      (
        await rows(
          "SELECT person, repository, gate, allowed, set_by, set_at FROM rules ORDER BY person, repository, gate",
        )
      ).map(([person = "", repository = "", gate = "", allowed, by = "", at = ""]) => ({
        person,
        repository,
        gate,
        allowed: allowed === "1",
        set: { by, at },
      })),
    named: async (hash) => (await rows("SELECT name FROM people WHERE token_hash = ?", hash))[0]?.[0] ?? null,
    add: (name, hash, by) =>
      run([
        `INSERT INTO people (name, token_hash, added_by, added_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (name) DO UPDATE SET token_hash = excluded.token_hash, added_by = excluded.added_by, added_at = excluded.added_at`,
        name,
        hash,
        by,
        now(),
      ]),
    remove: (name) =>
      run(["DELETE FROM people WHERE name = ?", name], ["DELETE FROM rules WHERE person = ?", name]),
    set: ({ person, repository, gate, allowed }, by) =>
      run([
        `INSERT INTO rules (person, repository, gate, allowed, set_by, set_at) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (person, repository, gate) DO UPDATE SET allowed = excluded.allowed, set_by = excluded.set_by, set_at = excluded.set_at`,
        person,
        repository,
        gate,
        allowed ? 1 : 0,
        by,
        now(),
      ]),
  };
}
