import { afterEach, beforeEach, expect, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { verifies } from "../../test/verifies.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { journalContract } from "../testing/journal-contract.ts";
import type { Owner } from "./owner.ts";
import type { Journal } from "./journal.ts";
import { openJournal } from "./open.ts";
import { schema, versionOf } from "./schema.ts";
import { openStore } from "./store.ts";

const living: Owner = { pid: 11, started: "5" };
const dead: Owner = { pid: 12, started: "6" };
const at = "2026-03-04T05:06:07.089Z";

let home: string;
let opened: Journal[] = [];
beforeEach(() => void (home = newFolder()));
afterEach(async () => {
  for (const journal of opened) await journal.close();
  opened = [];
});

async function open(): Promise<Journal> {
  const journal = await openJournal({
    home,
    clock: manualClock(at),
    alive: (owner) => owner.pid === living.pid,
  });
  opened.push(journal);
  return journal;
}

for (const { promises, title, check } of journalContract) {
  verifies(promises, `SQLite journal: ${title}`, async () => {
    await expect(check({ open, living, dead, at })).resolves.toBeUndefined();
  });
}

verifies("CORE-92", "SQLite itself refuses to change or remove an event, whoever asks", async () => {
  const journal = await open();
  await journal.append("r1", 0, [{ type: "a", data: 1 }]);
  const store = await openStore({ home, clock: manualClock(at) });
  for (const sql of [
    "UPDATE events SET data = '2'",
    "DELETE FROM events",
    "REPLACE INTO events SELECT * FROM events",
  ]) {
    expect(() => store.db.exec(sql)).toThrow();
  }
  await store.close();
  expect(await journal.read("r1")).toEqual([{ run: "r1", seq: 1, at, type: "a", data: 1 }]);
});

test("the file is a WAL database whose every commit reaches the disk, private to its user", async () => {
  await open();
  const store = await openStore({ home, clock: manualClock(at) });
  const pragma = (name: string) => store.db.prepare(`PRAGMA ${name}`).raw().get();
  expect([pragma("journal_mode"), pragma("synchronous"), pragma("user_version")]).toEqual([
    ["wal"],
    [2],
    [versionOf(schema)],
  ]);
  await store.writeCache(() => undefined);
  expect(pragma("synchronous")).toEqual([2]);
  await store.close();
});

test("a view that was damaged counts as absent", async () => {
  const journal = await open();
  await journal.append("r1", 0, [{ type: "a", data: 1 }]);
  await journal.writeView("r1", "status", 1, { phase: "one" });
  const store = await openStore({ home, clock: manualClock(at) });
  store.db.exec("UPDATE views SET value = '{}'");
  await store.close();
  expect(await journal.readView("r1", "status")).toBeNull();
});
