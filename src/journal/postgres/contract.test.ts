import { afterEach, beforeAll, beforeEach, describe, expect } from "vitest";
import {
  claimHost,
  hasPostgres,
  startPostgres,
  type PostgresServer,
} from "../../../test/support/postgres.ts";
import { verifiesInCi } from "../../../test/verifies.ts";
import { journalContract } from "../../testing/journal-contract.ts";
import { manualClock } from "../../testing/manual-clock.ts";
import { observationsContract } from "../../testing/observations-contract.ts";
import { payloadsContract } from "../../testing/payloads-contract.ts";
import type { Owner } from "../owner.ts";
import { postgresJournal } from "./journal.ts";
import { postgresObservations } from "./observations.ts";
import { postgresPayloads } from "./payloads.ts";
import { openPostgres, type PostgresStore } from "./store.ts";

const living: Owner = { pid: 11, started: "5" };
const dead: Owner = { pid: 12, started: "6" };
const at = "2026-03-04T05:06:07.089Z";
const clock = manualClock(at);
const alive = (owner: Owner) => owner.pid === living.pid;

let server: PostgresServer;
let cases = 0;
let opened: PostgresStore[] = [];

beforeAll(async () => {
  if (hasPostgres) server = await startPostgres();
});
beforeEach(() => void (cases += 1));
afterEach(async () => {
  for (const store of opened) await store.close();
  opened = [];
});

/** All cases share a database; each is a repository of its own in it. */
async function openStore(): Promise<PostgresStore> {
  const store = await openPostgres({ url: server.url, repository: `case ${cases}` });
  opened.push(store);
  return store;
}

const open = async () => postgresJournal(await openStore(), { clock, alive, host: claimHost() });

describe.skipIf(!hasPostgres)("PostgreSQL journal", () => {
  for (const { title, check } of journalContract)
    verifiesInCi("SCL-01", title, () => expect(check({ open, living, dead, at })).resolves.toBeUndefined());
});

describe.skipIf(!hasPostgres)("PostgreSQL observations", () => {
  for (const { title, check } of observationsContract) {
    verifiesInCi("SCL-01", title, async () => {
      const store = postgresObservations(await openStore(), { clock });
      await expect(check({ store, journal: await open(), at })).resolves.toBeUndefined();
    });
  }
});

describe.skipIf(!hasPostgres)("PostgreSQL payloads", () => {
  for (const { title, check } of payloadsContract) {
    verifiesInCi("SCL-01", title, async () => {
      const store = await openStore();
      const change = async (sql: string, address: string) =>
        void (await store.sql(sql, store.repository, address.slice("sha256:".length)));
      const where = "WHERE repository = $1 AND hash = decode($2, 'hex')";
      const subject = {
        payloads: postgresPayloads(store),
        damage: (address: string) => change(`UPDATE mettle.payloads SET bytes = 'damaged' ${where}`, address),
        lose: (address: string) => change(`DELETE FROM mettle.payloads ${where}`, address),
      };
      await expect(check(subject)).resolves.toBeUndefined();
    });
  }
});
