import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { afterEach, beforeAll, beforeEach, describe, expect } from "vitest";
import { bundleProgram, type Bundle } from "../../test/support/bundle.ts";
import { newFolder } from "../../test/support/folder.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "../../test/support/postgres.ts";
import { inCi, verifiesInCi } from "../../test/verifies.ts";
import { currentHost, isAlive } from "../config/owner.ts";
import { systemClock } from "../lib/clock.ts";
import type { Journal } from "./journal.ts";
import { openJournal } from "./open.ts";
import { postgresJournal } from "./postgres/journal.ts";
import { openPostgres } from "./postgres/store.ts";

/** What a second `mettle` process does, one line of output per deed. Runs from inside the repository, where libsql is found. */
const program = `
import { currentHost, currentProcess, isAlive } from "./src/config/owner.ts";
import { systemClock } from "./src/lib/clock.ts";
import { openJournal } from "./src/journal/open.ts";
import { postgresJournal } from "./src/journal/postgres/journal.ts";
import { openPostgres } from "./src/journal/postgres/store.ts";
const [deed, home, run, name] = process.argv.slice(2);
const deps = { clock: systemClock, alive: isAlive, host: { ...currentHost(), home: "" } };
const url = process.env.STORE_OF_TEST;
const journal =
  url === undefined
    ? await openJournal({ home, ...deps })
    : postgresJournal(await openPostgres({ url, repository: home }), deps);
const say = (line) => process.stdout.write(line + "\\n");
const work = async (count, after) => {
  for (let n = 0; n < count; ) {
    const head = after ?? (await journal.head(run));
    try {
      await journal.append(run, head, [{ type: "tick", data: { name, n } }]);
      n += 1;
      if (after !== undefined) after += 1;
    } catch (error) {
      if (error.code !== "journal_conflict") throw error;
    }
  }
};
if (deed === "append") await work(50);
if (deed === "hold") {
  try {
    await journal.claim(run, currentProcess());
    say("claimed " + process.pid);
    await work(3);
    say("worked");
    setInterval(() => {}, 1000);
  } catch (error) {
    say(error.code + " " + error.exitCode + " " + error.detail.pid);
  }
}
if (deed === "deliver") {
  try {
    await journal.append(run, 0, [{ type: "effect", data: { key: "red#1" } }]);
    say("taken");
  } catch (error) {
    say(error.code);
  }
}
`;

let bundle: Bundle;
let home: string;
let children: ChildProcess[] = [];

/** Of the store on PostgreSQL, where the cases run on it. */
let url: string | null = null;
let server: PostgresServer | null = null;

beforeAll(async () => void (bundle = await bundleProgram(program)));
beforeEach(() => void (home = newFolder()));
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  children = [];
});

interface Started {
  readonly child: ChildProcess;
  /** The next line that it prints; null when it ended. */
  line(): Promise<string | null>;
  ended(): Promise<number | null>;
}

function start(deed: "append" | "hold" | "deliver", run: string, name = ""): Started {
  const child = spawn(process.execPath, [bundle.file, deed, home, run, name], {
    stdio: ["ignore", "pipe", "inherit"],
    env: url === null ? process.env : { ...process.env, STORE_OF_TEST: url },
  });
  children.push(child);
  const end = new Promise<number | null>((resolve) => child.once("close", resolve));
  const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]();
  return {
    child,
    line: async () => {
      const next = await lines.next();
      return next.done === true ? null : next.value;
    },
    ended: () => end,
  };
}

async function open(): Promise<Journal> {
  const deps = { clock: systemClock, alive: isAlive, host: { ...currentHost(), home: "" } };
  if (url === null) return openJournal({ home, ...deps });
  return postgresJournal(await openPostgres({ url, repository: home }), deps);
}

interface ProcessCase {
  readonly promises: readonly string[];
  readonly title: string;
  check(): Promise<void>;
}

const cases: readonly ProcessCase[] = [
  {
    promises: ["CORE-92", "CORE-97"],
    title: "processes that append to one run at once lose no event and leave no gap",
    async check() {
      const names = ["a", "b", "c"];
      const codes = await Promise.all(names.map((name) => start("append", "r1", name).ended()));
      expect(codes).toEqual([0, 0, 0]);
      const journal = await open();
      const events = await journal.read("r1");
      await journal.close();
      expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 150 }, (_, index) => index + 1));
      for (const name of names) {
        const own = events
          .filter(({ data }) => JSON.stringify(data).includes(`"${name}"`))
          .map(({ data }) => data);
        expect(own).toEqual(Array.from({ length: 50 }, (_, n) => ({ name, n })));
      }
    },
  },

  {
    promises: ["CORE-97"],
    title: "an effect delivered by several processes is journaled once",
    async check() {
      const deliveries = [1, 2, 3].map(() => start("deliver", "r1"));
      const answers = await Promise.all(deliveries.map((one) => one.line()));
      await Promise.all(deliveries.map((one) => one.ended()));
      expect(answers.sort()).toEqual(["journal_conflict", "journal_conflict", "taken"]);
      const journal = await open();
      expect((await journal.read("r1")).map(({ data }) => data)).toEqual([{ key: "red#1" }]);
      await journal.close();
    },
  },

  {
    promises: ["CORE-94", "CORE-97"],
    title:
      "a second process gets run_busy and the owner's pid; after kill -9 of the owner the next one takes over",
    async check() {
      const first = start("hold", "r1", "first");
      expect(await first.line()).toBe(`claimed ${first.child.pid}`);
      expect(await first.line()).toBe("worked");
      const second = start("hold", "r1", "second");
      expect(await second.line()).toBe(`run_busy 5 ${first.child.pid}`);
      expect(await second.ended()).toBe(0);

      const journal = await open();
      expect((await journal.owner("r1"))?.pid).toBe(first.child.pid);
      first.child.kill("SIGKILL");
      await first.ended();
      expect(await journal.owner("r1")).toBeNull();

      const third = start("hold", "r1", "third");
      expect(await third.line()).toBe(`claimed ${third.child.pid}`);
      expect(await third.line()).toBe("worked");
      expect((await journal.read("r1")).map(({ seq, data }) => [seq, data])).toEqual(
        ["first", "first", "first", "third", "third", "third"].map((name, index) => [
          index + 1,
          { name, n: index % 3 },
        ]),
      );
      await journal.close();
    },
  },

  {
    promises: ["CORE-94"],
    title: "of two processes that claim a dead owner's run at once one gets it",
    async check() {
      const dead = start("hold", "r1");
      await dead.line();
      dead.child.kill("SIGKILL");
      await dead.ended();
      const answers = await Promise.all([start("hold", "r1"), start("hold", "r1")].map((one) => one.line()));
      expect(answers.map((line) => line?.split(" ")[0]).sort()).toEqual(["claimed", "run_busy"]);
    },
  },

  {
    promises: ["CORE-94"],
    title: "different runs of one repository are worked on at the same time",
    async check() {
      const runs = ["r1", "r2", "r3"];
      const workers = runs.map((run) => start("hold", run, run));
      for (const worker of workers) expect(await worker.line()).toBe(`claimed ${worker.child.pid}`);
      for (const worker of workers) expect(await worker.line()).toBe("worked");
      const journal = await open();
      expect((await journal.runs()).toSorted()).toEqual(runs);
      for (const run of runs)
        expect((await journal.read(run)).map(({ data }) => data)).toEqual(
          [0, 1, 2].map((n) => ({ name: run, n })),
        );
      await journal.close();
    },
  },
];

for (const { promises, title, check } of cases)
  verifiesInCi(promises, `SQLite: ${title}`, () => expect(check()).resolves.toBeUndefined());

describe.skipIf(!hasPostgres)("on PostgreSQL", () => {
  beforeAll(async () => void (server = hasPostgres ? await startPostgres() : null));
  beforeEach(() => void (url = server?.url ?? null));
  afterEach(() => void (url = null));

  for (const { title, check } of cases)
    inCi(title, async () => {
      expect(url).not.toBeNull();
      await check();
    });
});
