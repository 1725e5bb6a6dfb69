// @module-tag ci
/** The register of keys, against a real server (SCL-08). */
import { generateKeyPairSync } from "node:crypto";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { hasPostgres, startPostgres, type PostgresServer } from "../../../test/support/postgres.ts";
import { verifies } from "../../../test/verifies.ts";
import { keyId } from "../../evidence/keys.ts";
import { pemOf } from "../../evidence/public-key.ts";
import { AppError } from "../../lib/errors.ts";
import type { KeyRegister, NamedKey } from "../key-register.ts";
import { postgresKeys } from "./key-register.ts";
import { openPostgres, type PostgresStore } from "./store.ts";

let server: PostgresServer;
let opened: PostgresStore[] = [];

beforeAll(async () => {
  if (hasPostgres) server = await startPostgres();
});
afterEach(async () => {
  for (const store of opened) await store.close();
  opened = [];
});

async function open(url: string, repository = "mine"): Promise<KeyRegister> {
  const store = await openPostgres({ url, repository });
  opened.push(store);
  return postgresKeys(store);
}

function newKey(name: string): NamedKey {
  const { publicKey } = generateKeyPairSync("ed25519");
  return { id: keyId(publicKey), name, publicKey: pemOf(publicKey) };
}

const by = "anna@build-1";
const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u);
const codeOf = (done: Promise<unknown>) =>
  done.then(
    () => "done",
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );

describe.skipIf(!hasPostgres)("the register of keys", () => {
  verifies(
    "SCL-08",
    "has every key with its name, and who enrolled and revoked it, for all repositories",
    async () => {
      const url = server.newDatabase();
      const [mine, other] = [await open(url), await open(url, "other")];
      const [one, two] = [newKey("build-1"), newKey("build-2")];
      expect(await mine.list()).toEqual([]);
      await mine.enrol(one, one, by);
      await other.enrol(two, one, "bert@build-1");
      await mine.revoke("build-2", one.id, by);
      const list = [
        { ...one, enrolled: { by, at }, revoked: null },
        { ...two, enrolled: { by: "bert@build-1", at }, revoked: { by, at } },
      ];
      expect(await mine.list()).toEqual(list);
      expect(await other.list()).toEqual(list);
      expect([await mine.find(two.id), await mine.find(newKey("x").id)]).toEqual([list[1], null]);
    },
  );

  verifies("SCL-08", "gives one name to one key when operators enrol at once", async () => {
    const url = server.newDatabase();
    const first = newKey("build-1");
    await (await open(url)).enrol(first, first, by);
    const rivals = await Promise.all(
      Array.from({ length: 8 }, async () => [await open(url), newKey("worker")] as const),
    );
    const codes = await Promise.all(rivals.map(([register, key]) => codeOf(register.enrol(key, first, by))));
    expect(codes.toSorted()).toEqual(["done", ...Array.from({ length: 7 }, () => "key_name_taken")]);
    const [winner] = rivals.filter((_, index) => codes[index] === "done");
    const keys = await (await open(url)).list();
    expect(keys.map(({ id }) => id)).toEqual([first.id, winner?.[1].id]);
  });

  verifies("SCL-08", "enrols one first key when hosts start at once, and none afterwards", async () => {
    const url = server.newDatabase();
    const hosts = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => [await open(url), newKey(`host-${n}`)] as const),
    );
    const answers = await Promise.all(hosts.map(([register, key]) => register.enrolFirst(key, by)));
    const [first, ...more] = answers.flatMap((answer) => (answer === null ? [] : [answer]));
    expect([first, more]).toEqual([{ ...first, enrolled: { by, at }, revoked: null }, []]);
    const register = await open(url);
    expect(await register.list()).toEqual([first]);
    // A repeated call finds what it did, and a revoked key keeps the register from being empty.
    expect(await register.enrolFirst(first ?? newKey("x"), by)).toEqual(first);
    await register.revoke(first?.name ?? "", first?.id ?? "", by);
    expect(await register.enrolFirst(newKey("late"), by)).toBeNull();
  });

  verifies("SCL-08", "enrols only from a host with an enrolled key", async () => {
    const register = await open(server.newDatabase());
    const [host, worker, stranger] = [newKey("host"), newKey("worker"), newKey("stranger")];
    await register.enrol(worker, host, by); // the register is empty: the operator's host comes with it
    expect((await register.list()).map(({ name }) => name)).toEqual(["host", "worker"]);
    expect(await codeOf(register.enrol(stranger, stranger, by))).toBe("key_unenrolled");
    expect(await codeOf(register.enrol(newKey("x"), stranger, by))).toBe("key_unenrolled");
    expect(await codeOf(register.revoke("host", stranger.id, by))).toBe("key_unenrolled");
    await register.revoke("worker", host.id, by);
    expect(await codeOf(register.enrol(stranger, worker, by))).toBe("key_revoked");
    expect(await codeOf(register.revoke("host", worker.id, by))).toBe("key_revoked");
    expect((await register.list()).map(({ name }) => name)).toEqual(["host", "worker"]);
  });

  verifies("SCL-08", "keeps key and name together, and a revoked key revoked", async () => {
    const register = await open(server.newDatabase());
    const [host, worker] = [newKey("host"), newKey("worker")];
    await register.enrol(host, host, by);
    const enrolled = await register.enrol(worker, host, by);
    expect(await register.enrol(worker, host, "bert@build-1")).toEqual(enrolled);
    expect(await codeOf(register.enrol({ ...worker, name: "w2" }, host, by))).toBe("key_already_enrolled");
    expect(await codeOf(register.revoke("nobody", host.id, by))).toBe("key_unknown");
    const revoked = await register.revoke("worker", host.id, by);
    expect(revoked).toEqual({ ...enrolled, revoked: { by, at } });
    expect(await register.revoke("worker", host.id, "bert@build-1")).toEqual(revoked);
    expect(await codeOf(register.enrol(worker, host, by))).toBe("key_revoked");
    expect(await codeOf(register.enrol(newKey("worker"), host, by))).toBe("key_name_taken");
    // When the last key is revoked, an operator begins anew on any host, but not with a revoked key.
    await register.revoke("host", host.id, by);
    const next = newKey("host-2");
    expect(await codeOf(register.enrol(next, host, by))).toBe("key_revoked");
    expect(await register.enrol(next, next, by)).toMatchObject({ name: "host-2", revoked: null });
  });

  test("lets in no key by a database user who may only read it", async () => {
    const url = server.newDatabase();
    const host = newKey("host");
    const enrolled = await (await open(url)).enrol(host, host, by);
    server.psql(
      url,
      `CREATE ROLE worker LOGIN PASSWORD 'w'; GRANT USAGE ON SCHEMA mettle TO worker;
       GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA mettle TO worker;
       REVOKE INSERT, UPDATE, DELETE ON mettle.keys FROM worker`,
    );
    const limited = new URL(url);
    [limited.username, limited.password] = ["worker", "w"];
    const register = await open(limited.href);
    expect([await register.list(), await register.find(host.id)]).toEqual([[enrolled], enrolled]);
    expect(await codeOf(register.enrol(newKey("mine"), host, by))).toBe("state_unwritable");
    expect(await codeOf(register.revoke("host", host.id, by))).toBe("state_unwritable");
    expect(await register.list()).toEqual([enrolled]);
  });

  test("refuses every change but a revocation in the database itself", async () => {
    const url = server.newDatabase();
    const register = await open(url);
    const [host, worker] = [newKey("host"), newKey("worker")];
    await register.enrol(worker, host, by);
    await register.revoke("worker", host.id, by);
    const before = await register.list();
    for (const sql of [
      "DELETE FROM mettle.keys",
      "TRUNCATE mettle.keys",
      "UPDATE mettle.keys SET name = 'other' WHERE name = 'host'",
      "UPDATE mettle.keys SET revoked_at = NULL, revoked_by = NULL",
      "UPDATE mettle.keys SET revoked_at = now() WHERE name = 'worker'",
      "UPDATE mettle.keys SET public_key = 'x', revoked_at = now(), revoked_by = 'x' WHERE name = 'host'",
    ])
      expect(() => server.psql(url, sql)).toThrow(/append-only/u);
    expect(await register.list()).toEqual(before);
  });
});
