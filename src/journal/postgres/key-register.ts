import { invariant } from "../../lib/assert-never.ts";
import { AppError } from "../../lib/errors.ts";
import {
  assertMaySign,
  revokedText,
  type EnrolledKey,
  type KeyRegister,
  type NamedKey,
} from "../key-register.ts";
import type { SqlRow } from "../statements.ts";
import { lockKey } from "./lock-key.ts";
import type { Sql } from "./migrate.ts";
import type { PostgresStore } from "./store.ts";

/** The port of the register on PostgreSQL. Writers take turns under an advisory lock of the whole database. */
export function postgresKeys({ sql, write }: Pick<PostgresStore, "sql" | "write">): KeyRegister {
  /** Each call may be repeated after its connection broke: what was done already changes nothing. */
  const inTurn = <Value>(work: (on: Sql) => Promise<Value>): Promise<Value> =>
    write(
      async (on) => {
        await on("SELECT pg_advisory_xact_lock($1)", lockKey("", "keys"));
        return work(on);
      },
      { isRepeatable: true },
    );

  return {
    list: async () => (await sql(`${select} ORDER BY place`)).map(keyOf),
    find: (id) => one(sql, "id", id),

    enrolFirst: (key, by) =>
      inTurn(async (on) => {
        const [first] = (await on(`${select} ORDER BY place LIMIT 1`)).map(keyOf);
        if (first === undefined) return insert(on, key, by);
        return first.id === key.id ? first : null;
      }),

    enrol: (key, from, by) =>
      inTurn(async (on) => {
        const same = await one(on, "id", key.id);
        if (same !== null) return unchanged(same, key.name);
        const isFirst = await hasNone(on);
        if (isFirst && from.id !== key.id) await insert(on, from, by);
        if (!isFirst) assertMaySign(await one(on, "id", from.id));
        return insert(on, key, by);
      }),

    revoke: (name, from, by) =>
      inTurn(async (on) => {
        const found = await one(on, "name", name);
        if (found === null)
          throw new AppError("key_unknown", `no key is enrolled as ${name}`, {
            hint: "`mettle keys list` lists the names",
          });
        if (found.revoked !== null) return found;
        assertMaySign(await one(on, "id", from));
        await on(
          "UPDATE mettle.keys SET revoked_by = $2, revoked_at = clock_timestamp() WHERE id = $1",
          found.id,
          by,
        );
        return written(await one(on, "id", found.id));
      }),
  };
}

/** @throws key_name_taken, key_revoked */
async function insert(on: Sql, key: NamedKey, by: string): Promise<EnrolledKey> {
  const { id, name, publicKey } = key;
  const taken = (await one(on, "name", name)) ?? (await one(on, "id", id));
  if (taken !== null && taken.id === id && taken.revoked !== null) throw revokedForGood(taken);
  if (taken !== null)
    throw new AppError("key_name_taken", `${name} is the name of another key, ${taken.id}`, {
      hint: "Choose another name: a name stays with its key, also after the key was revoked.",
      detail: { name, key: taken.id, enrolled_by: taken.enrolled.by, enrolled_at: taken.enrolled.at },
    });
  await on(
    "INSERT INTO mettle.keys (id, name, public_key, enrolled_by) VALUES ($1, $2, $3, $4)",
    id,
    name,
    publicKey,
    by,
  );
  return written(await one(on, "id", id));
}

/** @throws key_revoked, key_already_enrolled */
function unchanged(same: EnrolledKey, name: string): EnrolledKey {
  if (same.revoked !== null) throw revokedForGood(same);
  if (same.name === name) return same;
  throw new AppError("key_already_enrolled", `this key is enrolled already, as ${same.name}`, {
    hint: "A key has one name. `mettle keys list` lists the names.",
    detail: { name: same.name, key: same.id },
  });
}

function revokedForGood({ id, name, revoked }: EnrolledKey): AppError {
  const why = revoked === null ? "" : `, ${revokedText(revoked)}`;
  return new AppError("key_revoked", `this key, enrolled as ${name}${why}`, {
    hint: "A revoked key stays revoked. Move keys/evidence.pem out of the state home of its host, so that a new key is made.",
    detail: { name, key: id },
  });
}

async function hasNone(on: Sql): Promise<boolean> {
  return (await on("SELECT FROM mettle.keys WHERE revoked_at IS NULL LIMIT 1")).length === 0;
}

const iso = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const select = `SELECT id, name, public_key, enrolled_by, ${iso("enrolled_at")}, revoked_by, ${iso("revoked_at")}
  FROM mettle.keys`;

async function one(on: Sql, column: "id" | "name", value: string): Promise<EnrolledKey | null> {
  const [row] = await on(`${select} WHERE ${column} = $1`, value);
  return row === undefined ? null : keyOf(row);
}

function keyOf([id, name, publicKey, by, at, revokedBy, revokedAt]: SqlRow): EnrolledKey {
  const act = (who: unknown, when: unknown) => ({ by: String(who), at: String(when) });
  return {
    id: String(id),
    name: String(name),
    publicKey: String(publicKey),
    enrolled: act(by, at),
    revoked: revokedAt === null ? null : act(revokedBy, revokedAt),
  };
}

function written(key: EnrolledKey | null): EnrolledKey {
  invariant(key, "a key that was just written is there");
  return key;
}
