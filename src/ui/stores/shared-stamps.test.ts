// @module-tag ci
/** The page follows a shared store by one connection, also after the server was gone (SCL-01). */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "../../../test/support/postgres.ts";
import { storeVariable } from "../../config/env.ts";
import { stateHome } from "../../config/home.ts";
import { markShared } from "../../config/store-place.ts";
import { openHomeStore } from "../../journal/home-store.ts";
import { systemClock } from "../../lib/clock.ts";
import { openStores, type Stores } from "./opened.ts";

const event = { type: "a", data: 1 };
let server: PostgresServer;
let root: string;
let stores: Stores;

beforeAll(async () => {
  if (hasPostgres) server = await startPostgres();
});
beforeEach(() => {
  if (!hasPostgres) return;
  vi.stubEnv(storeVariable, server.newDatabase());
  root = newFolder();
  for (const id of ["one-1", "two-2"]) {
    const home = stateHome({ repository: id, env: { METTLE_HOME: root } });
    mkdirSync(home.root);
    markShared(home.root, { repository: id });
  }
  stores = openStores({ root, env: {}, clock: systemClock });
});
afterEach(async () => {
  await stores?.close();
  vi.unstubAllEnvs();
});

const stampOf = (id: string) => stores.stampOf(stores.find(id));

async function untilChanged(id: string, from: string): Promise<string> {
  return vi.waitUntil(() => (stampOf(id) === from ? null : stampOf(id)), { timeout: 15_000, interval: 20 });
}

async function append(id: string, seq: number): Promise<void> {
  const { journal } = await openHomeStore(stores.find(id).home, systemClock);
  await journal.append("r1", seq, [event]);
  await journal.close();
}

const connections = () =>
  server.psql(server.url, "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'mettle'");

describe.skipIf(!hasPostgres)("the stamp of a repository in a shared store", () => {
  test("changes with its own runs alone, over one connection, which ends", async () => {
    await append("one-1", 0); // makes the tables
    const first = await untilChanged("one-1", stampOf("one-1"));
    const other = stampOf("two-2");
    expect(connections()).toBe("1");
    await append("one-1", 1);
    const second = await untilChanged("one-1", first);
    expect(stampOf("two-2")).toBe(other);
    await append("two-2", 0);
    await untilChanged("two-2", other);
    expect(stampOf("one-1")).toBe(second);
    await stores.close();
    await vi.waitUntil(() => connections() === "0", { timeout: 5000, interval: 50 });
  });

  test("changes when the server is there again, since no change was noticed meanwhile", async () => {
    const [one, two] = [await untilChanged("one-1", stampOf("one-1")), stampOf("two-2")];
    await server.crash();
    await server.start();
    const again = await untilChanged("one-1", one);
    await untilChanged("two-2", two);
    await append("one-1", 0);
    expect(await untilChanged("one-1", again)).not.toBe(one);
  });

  test("does not change where the URL cannot be used, and a folder with a broken marker hides no other", () => {
    vi.stubEnv(storeVariable, "mysql://db/runs");
    expect(stampOf("one-1")).toMatch(/^config_invalid/u);
    vi.stubEnv(storeVariable, "");
    expect(stampOf("one-1")).toMatch(/^store_url_missing/u);
    const broken = join(root, "broken-3");
    mkdirSync(broken);
    writeFileSync(join(broken, "store"), "{}");
    expect(stores.list().map(({ id }) => id)).toEqual(["one-1", "two-2"]);
  });
});
