// @module-tag ci
/** Appends under a claim, while another process takes it. */
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hasPostgres, startPostgres, type PostgresServer } from "../../../test/support/postgres.ts";
import { openJournalOfHost } from "../../../test/support/postgres-journal.ts";
import { AppError } from "../../lib/errors.ts";
import type { Journal } from "../journal.ts";

let server: PostgresServer;
let url = "";

beforeAll(async () => {
  if (hasPostgres) server = await startPostgres();
});
beforeEach(() => {
  if (hasPostgres) url = server.newDatabase();
});

/** @param alive whether it sees processes of its host live: a dead one's claim is taken at once */
const open = (alive = true) => openJournalOfHost({ url, alive });
const me = { pid: 7, started: "1" };
const event = (data: unknown) => ({ type: "a", data });
const eventsOf = async (journal: Journal, run: string) => (await journal.read(run)).map(({ data }) => data);
const codeOf = (error: unknown) => (error instanceof AppError ? error.code : error);

describe.skipIf(!hasPostgres)("claims", () => {
  test("are taken before an append or after it, in fifty rounds at the same moment, with and without side writes", async () => {
    const [old, other] = [await open(), await open(false)];
    for (let round = 0; round < 50; round++) {
      const run = `r${round}`;
      const dialogue = (seq: number) => ({ name: `TDD_${round}_${seq}`, kind: "tdd_loop" as const });
      const claim = await old.journal.claim(run, me);
      const writing = (async () => {
        for (let seq = 0; ; seq++)
          await old.journal.append(
            run,
            seq,
            [event("old")],
            round % 2 === 0 ? {} : { opens: [dialogue(seq)] },
          );
      })().catch(codeOf);
      await pause(round % 10);
      await other.journal.claim(run, me);
      const head = await other.journal.head(run);
      await other.journal.append(run, head, [event("new")]);
      expect(await writing).toBe("claim_lost");
      expect(claim.lost.aborted).toBe(true);
      const events = await eventsOf(other.journal, run);
      expect(events).toEqual([...Array.from({ length: head }, () => "old"), "new"]);
    }
  });

  test("wait for an append that is not committed, which waits for one that takes the claim; people need none", async () => {
    const [old, other] = [await open(), await open(false)];
    const person = await open();
    const claim = await old.journal.claim("r1", me);
    await old.journal.append("r1", 0, [event(1)]);
    const done: string[] = [];
    const note = (what: string) => () => void done.push(what);
    const [appended, claimed] = await person.store.write(
      async (sql) => {
        await sql("SELECT FROM mettle.runs WHERE run = 'r1' FOR UPDATE");
        const appending = old.journal.append("r1", 1, [event(2)]).then(note("append"));
        await pause(200);
        const claiming = other.journal.claim("r1", me).then(note("claim"));
        const seen = "SELECT seen FROM mettle.claims";
        const before = server.psql(url, seen);
        await expect.poll(() => server.psql(url, seen), { timeout: 3000 }).not.toBe(before); // a sign of life does not wait
        expect([done, claim.lost.aborted]).toEqual([[], false]);
        return [appending, claiming] as const;
      },
      { isRepeatable: false },
    );
    await Promise.all([appended, claimed]);
    expect(done.toSorted()).toEqual(["append", "claim"]); // two connections report it, in any order

    const third = await open(false);
    const [late] = await other.store.write(
      async (sql) => {
        await sql("UPDATE mettle.claims SET token = 'another', epoch = epoch + 1");
        const appending = other.journal.append("r1", 2, [event(3)]).catch(codeOf);
        await pause(200);
        expect(await other.journal.head("r1")).toBe(2);
        return [appending] as const;
      },
      { isRepeatable: false },
    );
    expect(await late).toBe("claim_lost");
    await person.journal.append("r1", 2, [event("answer")]);
    await third.journal.claim("r1", me);
    await third.journal.append("r1", 3, [event("new")]);
    expect([
      await eventsOf(person.journal, "r1"),
      server.psql(url, "SELECT epoch FROM mettle.claims"),
    ]).toEqual([[1, 2, "answer", "new"], "4"]);
  });
});
