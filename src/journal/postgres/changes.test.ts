// @module-tag ci
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { hasPostgres, startPostgres, type PostgresServer } from "../../../test/support/postgres.ts";
import { openJournalOfHost } from "../../../test/support/postgres-journal.ts";
import { listenToChanges, type Changes } from "./changes.ts";

const event = { type: "a", data: 1 };
const patient = { timeout: 15_000, interval: 20 };
let server: PostgresServer;
let url: string;

beforeAll(async () => {
  if (hasPostgres) server = await startPostgres();
});
beforeEach(() => {
  if (hasPostgres) url = server.newDatabase();
});

/** Its stamp has the number of changes last. */
async function listen(tryMs: number): Promise<Changes> {
  const changes = listenToChanges({ url, tryMs });
  onTestFinished(() => changes.close());
  const before = changes.stampOf("mine");
  await expect.poll(() => changes.stampOf("mine"), patient).not.toBe(before);
  return changes;
}
const countOf = (changes: Changes) => Number(changes.stampOf("mine").split(" ").at(-1));

describe.skipIf(!hasPostgres)("changes of a repository", () => {
  test("are announced after the append, those of one moment together, and the last when the journal is closed", async () => {
    const { journal } = await openJournalOfHost({ url });
    const changes = await listen(60_000);
    for (let seq = 0; seq < 50; seq++) await journal.append("r1", seq, [event]);
    await journal.close();
    await expect.poll(() => countOf(changes), patient).toBeGreaterThan(1);
    await pause(300);
    expect(countOf(changes)).toBeLessThan(50);
  });

  test("whose announcement was lost are noticed by a look, a run that ends too, and nothing else changes the stamp", async () => {
    const { journal } = await openJournalOfHost({ url });
    await journal.append("r1", 0, [event]);
    await journal.close();
    const changes = await listen(50);
    await pause(300);
    expect(countOf(changes)).toBe(0);
    server.psql(
      url,
      `INSERT INTO mettle.events (repository, run, seq, at, type, data, crc, append)
       VALUES ('mine', 'r1', 2, '', 'a', '1', 0, '')`,
    );
    await expect.poll(() => countOf(changes), patient).toBe(1);
    server.psql(url, "UPDATE mettle.runs SET ended = true");
    await expect.poll(() => countOf(changes), patient).toBe(2);
    await pause(300);
    expect(countOf(changes)).toBe(2);
  });
});
