// @module-tag ci
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { hasPostgres, startPostgres, type PostgresServer } from "../../../test/support/postgres.ts";
import { openJournalOfHost } from "../../../test/support/postgres-journal.ts";
import { verifies } from "../../../test/verifies.ts";
import { listenToChanges, type Changes } from "./changes.ts";
import { newsOf } from "./news.ts";

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
  verifies(
    "SCL-11",
    "wake those who wait for that run, by one connection for all of them, which ends with the last",
    async () => {
      const { journal } = await openJournalOfHost({ url });
      const listeners = () =>
        Number(server.psql(url, "SELECT count(*) FROM pg_stat_activity WHERE query = 'LISTEN mettle'"));
      const [mine, other] = ["r1", "r2"].map((run) => newsOf(url, { repository: "mine", run }));
      await expect.poll(listeners, patient).toBe(1);
      const never = new AbortController().signal;
      await Promise.all([mine?.next(never), other?.next(never)]); // the connection is there
      const woken: string[] = [];
      const wait = Promise.all(
        [mine, other].map(async (news, index) => {
          await news?.next(AbortSignal.timeout(3000));
          woken.push(`r${index + 1}`);
        }),
      );
      await journal.append("r1", 0, [event]);
      await expect.poll(() => woken, { timeout: 2500, interval: 20 }).toEqual(["r1"]);
      await wait;
      expect(woken).toEqual(["r1", "r2"]);
      // What comes while no caller waits wakes at once.
      await journal.append("r2", 0, [event]);
      await pause(500);
      const began = performance.now();
      await other?.next(never);
      expect(performance.now() - began).toBeLessThan(1000);
      await mine?.end();
      await other?.end();
      await expect.poll(listeners, patient).toBe(0);
    },
    30_000,
  );

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
