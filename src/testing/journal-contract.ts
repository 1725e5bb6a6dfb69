import assert from "node:assert/strict";
import { AppError } from "../lib/errors.ts";
import type { Owner } from "../journal/owner.ts";
import type { Journal, NewEvent } from "../journal/journal.ts";

/**
 * The contract that every Journal must pass, in a form that any test runner can drive. Each case gets an empty store.
 */
export interface ContractSubject {
  /** Opens the store again, like another process. */
  open(): Promise<Journal>;
  /** An owner for which the journal's `alive` returns true. */
  readonly living: Owner;
  /** An owner for which it returns false. */
  readonly dead: Owner;
  /** The time of the journal's clock, ISO 8601. */
  readonly at: string;
}

export interface ContractCase {
  readonly promises: readonly string[];
  readonly title: string;
  check(subject: ContractSubject): Promise<void>;
}

export const journalContract: readonly ContractCase[] = [
  {
    promises: ["CORE-92"],
    title: "appends are numbered from 1 without gaps, stamped, and read back equal by another opener",
    async check({ open, at }) {
      const writer = await open();
      const first = await writer.append("r1", 0, [event("a", 1), event("b", { deep: [null, true] })]);
      const second = await writer.append("r1", 2, [event("c", "x")]);
      const all = [
        { run: "r1", seq: 1, at, type: "a", data: 1 },
        { run: "r1", seq: 2, at, type: "b", data: { deep: [null, true] } },
        { run: "r1", seq: 3, at, type: "c", data: "x" },
      ];
      assert.deepEqual([...first, ...second], all);
      const reader = await open();
      assert.deepEqual(await reader.read("r1"), all);
      assert.deepEqual(await reader.read("r1", 2), all.slice(2));
      assert.deepEqual(await reader.read("r1", 3), []);
      assert.equal(await reader.head("r1"), 3);
    },
  },
  {
    promises: ["CORE-92", "CORE-94"],
    title: "alternating openers immediately see the other's appends, claims and cached views",
    async check({ open, living }) {
      const [one, two] = [await open(), await open()];
      for (let turn = 0; turn < 3; turn++) {
        for (const [mine, other] of [
          [one, two],
          [two, one],
        ] as const) {
          const head = await mine.head("r1");
          await mine.append("r1", head, [event("turn", turn)]);
          const claim = await mine.claim("r1", living);
          await mine.writeView("r1", "head", head + 1, head + 1);
          assert.deepEqual(
            [
              await other.head("r1"),
              await other.owner("r1"),
              await other.readView("r1", "head"),
              await other.runs(),
            ],
            [head + 1, living, { seq: head + 1, value: head + 1 }, ["r1"]],
          );
          assert.equal((await other.read("r1", head)).length, 1);
          await claim.release();
          assert.equal(await other.owner("r1"), null);
        }
      }
      assert.deepEqual(
        (await (await open()).read("r1")).map(({ data }) => data),
        [0, 0, 1, 1, 2, 2],
      );
    },
  },
  {
    promises: ["CORE-92"],
    title: "an unknown run is empty, and appending nothing changes nothing",
    async check({ open }) {
      const journal = await open();
      assert.deepEqual(await journal.append("r1", 0, []), []);
      assert.deepEqual(
        [await journal.read("r1"), await journal.head("r1"), await journal.runs()],
        [[], 0, []],
      );
    },
  },
  {
    promises: ["CORE-92", "CORE-97"],
    title:
      "an append behind or ahead of the store is a conflict and changes nothing, and so is a second delivery",
    async check({ open }) {
      const [one, two] = [await open(), await open()];
      await one.append("r1", 0, [event("a"), event("b")]);
      const before = await one.read("r1");
      for (const after of [0, 1, 3]) {
        assert.deepEqual(await failure(two.append("r1", after, [event("x")])), [
          "journal_conflict",
          { run: "r1", expected: after, found: 2 },
        ]);
      }
      assert.deepEqual(await failure(one.append("r1", 0, [event("a"), event("b")])), [
        "journal_conflict",
        { run: "r1", expected: 0, found: 2 },
      ]);
      assert.deepEqual(await one.read("r1"), before);
      assert.equal((await two.append("r1", 2, [event("c")]))[0]?.seq, 3);
    },
  },
  {
    promises: ["CORE-92"],
    title: "of many appends after the same event exactly one succeeds",
    async check({ open }) {
      const openers = await Promise.all(Array.from({ length: 4 }, () => open()));
      const appends = [0, 1, 2, 3, 4].flatMap((n) =>
        openers.map((journal) => journal.append("r1", 0, [event("t", n), event("t", n)])),
      );
      const taken = (await Promise.allSettled(appends)).flatMap((done) =>
        done.status === "fulfilled" ? done.value : [],
      );
      assert.equal(taken.length, 2);
      assert.deepEqual(await (await open()).read("r1"), taken);
    },
  },
  {
    promises: ["CORE-92"],
    title: "an append stores all of its events or none",
    async check({ open }) {
      const journal = await open();
      const endless: { self?: unknown } = {};
      endless.self = endless;
      for (const bad of [undefined, 1n, endless]) {
        await assert.rejects(journal.append("r1", 0, [event("good"), { type: "bad", data: bad }]), TypeError);
      }
      for (const type of ["", "two words", "line\n", 'quo"te', "\u001f"]) {
        await assert.rejects(journal.append("r1", 0, [event("good"), event(type)]), TypeError);
      }
      assert.deepEqual([await journal.read("r1"), await journal.runs()], [[], []]);
    },
  },
  {
    promises: ["CORE-92"],
    title: "data keeps every character, and a caller cannot change stored data",
    async check({ open }) {
      const data = {
        text: "nul \u0000, half \ud800, é 🙂, \u2028",
        long: "x".repeat(1_000_000),
        list: [1.5, -0, 1e300],
      };
      const journal = await open();
      const [stored] = await journal.append("r 1/é", 0, [event("odd", data)]);
      const expected: unknown = JSON.parse(JSON.stringify(data));
      assert.deepEqual(stored?.data, expected);
      if (typeof stored?.data === "object" && stored.data !== null)
        Object.assign(stored.data, { text: "changed" });
      data.list.push(2);
      assert.deepEqual((await journal.read("r 1/é"))[0]?.data, expected);
      assert.deepEqual(await journal.runs(), ["r 1/é"]);
    },
  },
  {
    promises: ["CORE-92"],
    title: "runs are listed oldest first, and their events are separate",
    async check({ open }) {
      const journal = await open();
      for (const run of ["z", "a", "m"]) await journal.append(run, 0, [event(run)]);
      await journal.append("a", 1, [event("a2")]);
      assert.deepEqual(await (await open()).runs(), ["z", "a", "m"]);
      assert.deepEqual(
        (await journal.read("a")).map(({ seq, type }) => [seq, type]),
        [
          [1, "a"],
          [2, "a2"],
        ],
      );
    },
  },
  {
    promises: ["CORE-92"],
    title: "a run that an append ended is not among the open ones, whatever follows",
    async check({ open }) {
      const journal = await open();
      assert.deepEqual([await journal.openRuns(), await journal.newestRun()], [[], null]);
      for (const run of ["z", "a", "m"]) await journal.append(run, 0, [event(run)]);
      await journal.append("a", 1, [event("end"), event("told")], { ends: true });
      assert.deepEqual(await failure(journal.append("z", 0, [event("end")], { ends: true })), [
        "journal_conflict",
        { run: "z", expected: 0, found: 1 },
      ]);
      await journal.append("a", 3, [event("landed")]);
      await journal.append("n", 0, [event("began"), event("end")], { ends: true });
      const other = await open();
      assert.deepEqual(await other.runs(), ["z", "a", "m", "n"]);
      assert.deepEqual([await other.openRuns(), await other.newestRun()], [["z", "m"], "n"]);
    },
  },
  {
    promises: ["CORE-92"],
    title: "the newest runs, and those that begin with a text, are found without listing all",
    async check({ open }) {
      const journal = await open();
      assert.deepEqual([await journal.runs(2), await journal.runsNamed("", 9)], [[], []]);
      const names = ["z", "ab", "a%", "a_c", "abc", "B", "aé", "a"];
      for (const run of names) await journal.append(run, 0, [event("began")]);
      assert.deepEqual(await journal.runs(2), ["aé", "a"]);
      assert.deepEqual(await journal.runs(99), names);
      assert.deepEqual(await journal.runsNamed("a", 99), ["a", "a%", "a_c", "ab", "abc", "aé"]);
      assert.deepEqual(await journal.runsNamed("a", 2), ["a", "a%"]);
      for (const [prefix, found] of [
        ["ab", ["ab", "abc"]],
        ["a_", ["a_c"]],
        ["%", []],
        ["b", []],
        ["abcd", []],
      ] as const)
        assert.deepEqual(await journal.runsNamed(prefix, 99), found);
    },
  },
  {
    promises: ["CORE-92"],
    title: "nothing in the port changes or removes an event",
    async check({ open }) {
      const journal = await open();
      assert.deepEqual(Object.keys(journal).sort(), [
        "append",
        "claim",
        "close",
        "deleteViews",
        "head",
        "newestRun",
        "openRuns",
        "owner",
        "read",
        "readView",
        "runs",
        "runsNamed",
        "writeView",
      ]);
      await journal.append("r1", 0, [event("a"), event("b")]);
      const before = await journal.read("r1");
      await journal.writeView("r1", "status", 2, { phase: "x" });
      await journal.deleteViews();
      await (await journal.claim("r1", { pid: 1, started: "1" })).release();
      assert.deepEqual(await journal.read("r1"), before);
    },
  },
  {
    promises: ["CORE-94", "CORE-97"],
    title: "one owner holds a run, even against itself, until it releases it; other runs are free",
    async check({ open, living }) {
      const [one, two] = [await open(), await open()];
      const claim = await one.claim("r1", living);
      const busy = ["run_busy", { run: "r1", pid: living.pid, started: living.started }];
      assert.deepEqual(await failure(two.claim("r1", living)), busy);
      assert.deepEqual(await failure(one.claim("r1", living)), busy);
      assert.deepEqual(await two.owner("r1"), living);
      assert.equal((await two.claim("r2", living)).run, "r2");
      await one.append("r1", 0, [event("a")]);
      await claim.release();
      await claim.release();
      assert.equal(claim.lost.aborted, false);
      assert.equal(await two.owner("r1"), null);
      assert.equal((await two.claim("r1", living)).run, "r1");
    },
  },
  {
    promises: ["CORE-94"],
    title: "a part of a run is claimed beside the run and its other parts, and held as the run is",
    async check({ open, living, dead }) {
      const [one, two, three] = [await open(), await open(), await open()];
      await one.claim("r1", living);
      const part = await two.claim("r1", living, "a#1");
      assert.equal(part.run, "r1");
      await three.claim("r1", dead, "b#1");
      assert.equal((await failure(three.claim("r1", living, "a#1")))[0], "run_busy");
      await part.release();
      await (await three.claim("r1", living, "a#1")).release();
      await three.claim("r1", living, "b#1");
      assert.deepEqual(await two.owner("r1"), living);
      assert.equal((await failure(two.claim("r1", living)))[0], "run_busy");
    },
  },
  {
    promises: ["CORE-94", "CORE-97"],
    title: "of many claims at once exactly one wins",
    async check({ open, living }) {
      const openers = await Promise.all(Array.from({ length: 4 }, () => open()));
      const claims = [0, 1, 2, 3, 4].flatMap(() => openers.map((journal) => journal.claim("r1", living)));
      const tries = await Promise.allSettled(claims);
      assert.equal(tries.filter((done) => done.status === "fulfilled").length, 1);
    },
  },
  {
    promises: ["CORE-94", "CORE-97"],
    title: "a dead owner's claim is taken over, and its late release frees nothing",
    async check({ open, living, dead }) {
      const [one, two] = [await open(), await open()];
      const lost = await one.claim("r1", dead);
      assert.equal(await two.owner("r1"), null);
      await two.claim("r1", living);
      await lost.release();
      assert.deepEqual(await one.owner("r1"), living);
      assert.equal((await failure(one.claim("r1", living)))[0], "run_busy");
    },
  },
  {
    promises: ["CORE-92"],
    title:
      "views are caches: stored by name, never replaced by older ones, never ahead of the events, deletable",
    async check({ open }) {
      const [one, two] = [await open(), await open()];
      assert.equal(await one.readView("r1", "status"), null);
      await one.append("r1", 0, [event("a"), event("b")]);
      await one.writeView("r1", "status", 2, { phase: "two" });
      await two.writeView("r1", "status", 1, { phase: "one" });
      await two.writeView("r1", "cost", 1, 0.5);
      assert.deepEqual(await two.readView("r1", "status"), { seq: 2, value: { phase: "two" } });
      assert.deepEqual(await one.readView("r1", "cost"), { seq: 1, value: 0.5 });
      assert.equal(await one.readView("r2", "cost"), null);
      await one.writeView("r1", "status", 3, { phase: "not yet" });
      assert.equal(await two.readView("r1", "status"), null);
      await two.deleteViews();
      assert.deepEqual(
        [await one.readView("r1", "status"), await one.readView("r1", "cost"), await one.head("r1")],
        [null, null, 2],
      );
    },
  },
  {
    promises: ["CORE-92"],
    title: "a dialogue's name is unique; an append with a used name writes nothing",
    async check({ open }) {
      const [one, two] = [await open(), await open()];
      const opens = [{ name: "PLAN_20260101T000000000Z", kind: "plan_loop" }] as const;
      await one.append("r1", 0, [event("a")], { opens });
      assert.deepEqual(await failure(two.append("r2", 0, [event("b")], { opens })), [
        "session_taken",
        undefined,
      ]);
      assert.equal(await two.head("r2"), 0);
    },
  },
];

function event(type: string, data: unknown = null): NewEvent {
  return { type, data };
}

/** Code and detail of the expected failure. */
async function failure(promise: Promise<unknown>): Promise<readonly [string, unknown]> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof AppError) return [error.code, error.detail];
    throw error;
  }
  return ["no failure", null];
}
