// @module-tag ci
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { cuttingProxy, type CuttingProxy } from "../../../test/support/cutting-proxy.ts";
import {
  claimHost,
  hasPostgres,
  startPostgres,
  type PostgresServer,
} from "../../../test/support/postgres.ts";
import { verifies } from "../../../test/verifies.ts";
import { AppError } from "../../lib/errors.ts";
import { manualClock } from "../../testing/manual-clock.ts";
import type { SideWrites } from "../journal.ts";
import { parsePattern } from "../observation-line.ts";
import { postgresJournal } from "./journal.ts";
import { postgresObservations } from "./observations.ts";
import { openPostgres, type PostgresStore } from "./store.ts";

const clock = manualClock("2026-03-04T05:06:07.089Z");
const owner = { pid: 11, started: "5" };
const session = "TDD_20260304T050607089Z_C1";
const entry = { session, round: 0, agent: "MT", content: "phase:RED" };
/** A bound that a busy machine keeps while the server answers. */
const shortMs = 3000;
const event = (data: unknown) => ({ type: "a", data });

let server: PostgresServer;
let proxy: CuttingProxy;
let opened: PostgresStore[] = [];

beforeAll(async () => {
  if (!hasPostgres) return;
  server = await startPostgres();
  proxy = await cuttingProxy(server.port);
});
afterEach(async () => {
  for (const store of opened) await store.close();
  opened = [];
});

async function open(url: string, lockTimeoutMs = 10_000): Promise<PostgresStore> {
  const store = await openPostgres({ url, repository: "mine", lockTimeoutMs });
  opened.push(store);
  return store;
}

const journalOf = (store: PostgresStore) =>
  postgresJournal(store, { clock, alive: () => true, host: claimHost() });

function throughProxy(url: string): string {
  const changed = new URL(url);
  changed.port = `${proxy.port}`;
  return changed.href;
}

describe.skipIf(!hasPostgres)("a connection that breaks", () => {
  // What the wire shows last: a statement of its own, or the end of a transaction.
  for (const when of ["before", "after"] as const) {
    verifies("SCL-02", `${when} the server committed: an append is done once`, async () => {
      const url = server.newDatabase();
      const [store, direct] = [await open(throughProxy(url)), journalOf(await open(url))];
      const journal = journalOf(store);
      const cuts = proxy.cuts;
      proxy.cutAt("INTO mettle.events", when);
      expect(await journal.append("r1", 0, [event(1), event(2)])).toHaveLength(2);
      proxy.cutAt("COMMIT", when);
      await journal.append("r1", 2, [event(3)], {
        opens: [{ name: session, kind: "tdd_loop" }],
        observations: [entry],
      });
      proxy.cutAt("INTO mettle.observations", when);
      const observations = postgresObservations(store, { clock });
      expect(await observations.append({ ...entry, round: 1 })).toMatchObject({ id: 2, round: 1 });
      proxy.cutAt("INTO mettle.claims", when);
      const claim = await journal.claim("r1", owner);
      expect(proxy.cuts).toBe(cuts + 4);

      expect((await direct.read("r1")).map(({ seq, data }) => [seq, data])).toEqual([
        [1, 1],
        [2, 2],
        [3, 3],
      ]);
      expect(
        (await observations.query(parsePattern("OBS[*,*,*,*]"))).map(({ id, round }) => [id, round]),
      ).toEqual([
        [1, 0],
        [2, 1],
      ]);
      expect(await observations.dialogues("r1")).toHaveLength(1);
      expect(await direct.owner("r1")).toEqual(owner);
      await claim.release();
      expect(await direct.owner("r1")).toBeNull();
    });
  }

  test("after another process appended in between, the store still knows whose event is there", async () => {
    const url = server.newDatabase();
    const [mine, other] = [journalOf(await open(throughProxy(url))), journalOf(await open(url))];
    proxy.cutAt("INTO mettle.events", "before");
    const late = mine.append("r1", 0, [event("mine")]);
    await other.append("r1", 0, [event("other")]);
    await expect(late).rejects.toMatchObject({ code: "journal_conflict", detail: { expected: 0, found: 1 } });
    expect(await other.read("r1")).toMatchObject([{ data: "other" }]);
  });

  test("without an event to know it by, side writes fail instead of being repeated", async () => {
    const url = server.newDatabase();
    const store = await open(throughProxy(url));
    proxy.cutAt("COMMIT", "after");
    await expect(journalOf(store).append("r1", 0, [], { observations: [entry] })).rejects.toMatchObject({
      code: "store_unreachable",
    });
    const found = await postgresObservations(store, { clock }).query(parsePattern("OBS[*,*,*,*]"));
    expect(found).toHaveLength(1);
  });
});

describe.skipIf(!hasPostgres)("an append over a network", () => {
  test("waits for one round trip, and so with side writes of any number (SCL-11)", async () => {
    const journal = journalOf(await open(throughProxy(server.newDatabase())));
    const tripsOf = async (run: string, sides: (seq: number) => SideWrites) => {
      const trips: number[] = [];
      // A message that arrives in two parts, or an announcement at the same time, makes more of one append, not of all.
      for (let seq = 0; seq < 20; seq++) {
        const before = proxy.roundTrips;
        await journal.append(run, seq, [event(seq)], sides(seq));
        trips.push(proxy.roundTrips - before);
      }
      return Math.min(...trips);
    };
    expect(await tripsOf("plain", () => ({}))).toBe(1);
    const sides = (seq: number) => ({
      opens: [1, 2, 3].map((n) => ({ name: `TDD_${seq}_${n}`, kind: "tdd_loop" as const })),
      observations: [entry, entry],
      closes: [`TDD_${seq - 1}_1`],
      ends: true,
    });
    expect(await tripsOf("with side writes", sides)).toBe(1);
  });
});

describe.skipIf(!hasPostgres)("a server", () => {
  test("that crashes under appends and comes back has each append that succeeded, once, and no other", async () => {
    const journal = journalOf(await open(server.newDatabase()));
    let seq = 0;
    let isOver = false;
    const append = async () => {
      while (!isOver) {
        await journal.append("r1", seq, [event(seq + 1)]);
        seq += 1;
      }
    };
    const work = append();
    for (let crash = 0; crash < 2; crash++) {
      const before = seq;
      await expect.poll(() => seq).toBeGreaterThan(before + 10);
      await server.crash();
      await server.start();
    }
    isOver = true;
    await work;
    expect((await journal.read("r1")).map(({ data }) => data)).toEqual(
      Array.from({ length: seq }, (_, index) => index + 1),
    );
  });

  test("that stays away is reported within the bound, and the same store goes on when it is back", async () => {
    const journal = journalOf(await open(server.newDatabase(), shortMs));
    await journal.append("r1", 0, [event(1)]);
    await server.crash();
    const start = performance.now();
    const error = await journal.append("r1", 1, [event(2)]).catch((failure: unknown) => failure);
    expect(performance.now() - start).toBeLessThan(5 * shortMs);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: "store_unreachable", exitCode: 5, retry: "safe" });
    await server.start();
    await journal.append("r1", 1, [event(2)]);
    expect(await journal.head("r1")).toBe(2);
  });

  test("that hangs is reported within the bound, and closing does not wait for it", async () => {
    const url = server.newDatabase();
    const journal = journalOf(await open(url, shortMs));
    await journal.append("r1", 0, [event(1)]);
    server.signal("SIGSTOP");
    try {
      const start = performance.now();
      await expect(journal.append("r1", 1, [event(2)])).rejects.toMatchObject({ code: "store_unreachable" });
      await journal.close();
      expect(performance.now() - start).toBeLessThan(5 * shortMs);
    } finally {
      server.signal("SIGCONT");
    }
    // The outcome of the second append is unknown; each event that is there is whole.
    expect([1, 2]).toContain(await journalOf(await open(url)).head("r1"));
  });

  test("whose tables another session locks is reported as locked within the bound", async () => {
    const url = server.newDatabase();
    const [store, other] = [await open(url, shortMs), await open(url)];
    const journal = journalOf(store);
    await other.write(
      async (sql) => {
        await sql("LOCK TABLE mettle.events IN ACCESS EXCLUSIVE MODE");
        await expect(journal.append("r1", 0, [event(1)])).rejects.toMatchObject({ code: "journal_locked" });
      },
      { isRepeatable: false },
    );
    expect(await journal.append("r1", 0, [event(1)])).toHaveLength(1);
  });
});
