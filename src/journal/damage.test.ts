import { copyFile, mkdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { inCi, verifies } from "../../test/verifies.ts";
import { AppError } from "../lib/errors.ts";
import { manualClock } from "../testing/manual-clock.ts";
import type { Journal, StoredEvent } from "./journal.ts";
import { openJournal } from "./open.ts";
import { openStore } from "./store.ts";

let sound: string;
let home: string;
let events: readonly StoredEvent[];

/** A journal of two runs over several pages, wholly in `mettle.db`. */
beforeAll(async () => {
  sound = newFolder();
  const journal = await open(sound);
  events = await journal.append(
    "r1",
    0,
    Array.from({ length: 60 }, (_, n) => ({ type: "tick", data: { n, text: `marker-${n} `.repeat(30) } })),
  );
  await journal.append("r2", 0, [{ type: "other", data: "fine" }]);
  await journal.close();
  const store = await openStore({ home: sound, clock: manualClock() });
  store.db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").raw().get();
  await store.close();
});
beforeEach(async () => {
  home = newFolder();
  await copyFile(join(sound, "mettle.db"), file());
});

function file(): string {
  return join(home, "mettle.db");
}

function open(folder = home): Promise<Journal> {
  return openJournal({ home: folder, clock: manualClock(), alive: () => true });
}

async function hash(): Promise<string> {
  return createHash("sha256")
    .update(await readFile(file()))
    .digest("hex");
}

async function replace(from: string, to: string): Promise<void> {
  const bytes = await readFile(file());
  const at = bytes.indexOf(from);
  expect(at).toBeGreaterThan(0);
  bytes.write(to, at);
  await writeFile(file(), bytes);
}

/** In the place of a letter a byte that no UTF-8 has. */
async function spoil(text: string): Promise<void> {
  const bytes = await readFile(file());
  const at = bytes.indexOf(text);
  expect(at).toBeGreaterThan(0);
  bytes[at + 1] = 0xff;
  await writeFile(file(), bytes);
}

async function reading(run = "r1"): Promise<AppError> {
  try {
    const journal = await open();
    try {
      await journal.read(run);
    } finally {
      await journal.close();
    }
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error("the damage was not noticed");
}

verifies(
  "CORE-90",
  "one changed byte of an event stops with journal_corrupt, run, seq and what is still readable",
  async () => {
    await replace("marker-41 ", "marker-4X ");
    const before = await hash();
    const error = await reading();
    expect({
      code: error.code,
      exitCode: error.exitCode,
      message: error.message,
      detail: error.detail,
    }).toEqual({
      code: "journal_corrupt",
      exitCode: 5,
      message: "run r1: event 42 is damaged or missing; still readable: 1 to 41, 43 to 60",
      detail: {
        file: file(),
        run: "r1",
        seq: 42,
        readable: [
          [1, 41],
          [43, 60],
        ],
      },
    });
    expect(error.hint).toContain(file());
    expect(await hash()).toBe(before);

    const journal = await open();
    expect((await journal.read("r2")).map(({ data }) => data)).toEqual(["fine"]);
    expect(await journal.read("r1", 42)).toEqual(events.slice(42));
    await journal.close();
    expect(await hash()).toBe(before);

    await replace("marker-4X ", "marker-41 ");
    const healed = await open();
    expect(await healed.read("r1")).toEqual(events);
    await healed.close();
  },
);

test("a byte that is no UTF-8 is damage like any other, and the process goes on (fault S9)", async () => {
  await spoil("marker-41 ");
  const before = await hash();
  const error = await reading();
  expect([error.code, error.exitCode, error.message]).toEqual([
    "journal_corrupt",
    5,
    "run r1: event 42 is damaged or missing; still readable: 1 to 41, 43 to 60",
  ]);
  const journal = await open();
  expect((await journal.read("r2")).map(({ data }) => data)).toEqual(["fine"]);
  await journal.close();
  expect(await hash()).toBe(before);
});

test("pages of zeros and of noise, a file that was cut, and a spoiled header are journal_corrupt or are not read (fault S9)", async () => {
  const whole = await readFile(join(sound, "mettle.db"));
  const size = 4096;
  const spoilt = Array.from({ length: whole.length / size }, (_, page) => {
    const bytes = Buffer.from(whole);
    return bytes.fill(page % 2 === 0 ? 0xff : 0, page * size + (page === 0 ? 16 : 0), (page + 1) * size);
  });
  const cut = [1, 100, size, 20_000, whole.length - size].map((length) => whole.subarray(0, length));
  const codes = await Promise.all([...spoilt, ...cut].map((bytes, index) => codeOfReading(bytes, index)));
  expect([...new Set(codes)].toSorted()).toEqual(["journal_corrupt", "read"]);
  expect(codes.filter((code) => code === "journal_corrupt").length).toBeGreaterThan(9);
});

async function codeOfReading(bytes: Uint8Array, index: number): Promise<string> {
  const folder = join(home, String(index));
  await mkdir(folder);
  await writeFile(join(folder, "mettle.db"), bytes);
  try {
    const journal = await open(folder);
    try {
      for (const run of await journal.runs()) await journal.read(run);
      return "read";
    } finally {
      await journal.close();
    }
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

verifies(
  "CORE-90",
  "a lost event is noticed, in the middle and at the end, when reading and before appending",
  async () => {
    for (const [lost, message] of [
      [20, "run r1: event 20 is damaged or missing; still readable: 1 to 19, 21 to 60"],
      [60, "run r1: event 60 is damaged or missing; still readable: 1 to 59"],
    ] as const) {
      await copyFile(join(sound, "mettle.db"), file());
      const store = await openStore({ home, clock: manualClock() });
      store.db.exec(
        `DROP TRIGGER events_stay; DELETE FROM events WHERE run = 'r1' AND seq = ${lost}; PRAGMA wal_checkpoint(TRUNCATE)`,
      );
      await store.close();
      const error = await reading();
      expect([error.code, error.message]).toEqual(["journal_corrupt", message]);
    }
    const journal = await open();
    await expect(journal.append("r1", 59, [{ type: "x", data: 1 }])).rejects.toMatchObject({
      code: "journal_corrupt",
    });
    await journal.close();
  },
);

verifies(
  "CORE-90",
  "a file that is no database, an empty page and a cut end stop with journal_corrupt and stay as they are",
  async () => {
    const { size } = await stat(file());
    const deeds: Record<string, () => Promise<void>> = {
      junk: () => writeFile(file(), "this is no database\n".repeat(500)),
      short: () => writeFile(file(), "short"),
      foreign: async () => {
        const { default: Libsql } = await import("libsql");
        await rm(file());
        const db = new Libsql(file());
        db.exec("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)");
        db.close();
      },
      cut: () => truncate(file(), size - 3 * 4096),
      zeroed: async () => {
        const bytes = await readFile(file());
        bytes.fill(0, 4096, size);
        await writeFile(file(), bytes);
      },
    };
    for (const [name, deed] of Object.entries(deeds)) {
      await copyFile(join(sound, "mettle.db"), file());
      await deed();
      const before = await hash();
      const error = await reading();
      expect([name, error.code, error.exitCode]).toEqual([name, "journal_corrupt", 5]);
      expect([name, await hash()]).toEqual([name, before]);
      for (const rest of ["-wal", "-shm"]) await rm(`${file()}${rest}`, { force: true });
    }
  },
);

test("after a damaged run was met, the same opener still sees what others append", async () => {
  await replace("marker-41 ", "marker-4X ");
  const [reader, writer] = [await open(), await open()];
  await expect(reader.read("r1")).rejects.toMatchObject({ code: "journal_corrupt" });
  await writer.append("r2", 1, [{ type: "more", data: 1 }]);
  expect(await reader.head("r2")).toBe(2);
  expect((await reader.append("r2", 2, [{ type: "more", data: 2 }]))[0]?.seq).toBe(3);
  expect((await writer.read("r2")).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  await reader.close();
  await writer.close();
});

inCi("wherever one byte of the file changes, what is read is right or refused", async () => {
  const bytes = await readFile(file());
  let refused = 0;
  let place = 4711;
  for (let round = 0; round < 120; round++) {
    place = (place * 1103515245 + 12345) % 2147483648;
    // Every second hit goes to the first pages, where the file's structure is; of the rest most hold nothing yet.
    const at = place % (round % 2 === 0 ? bytes.length : 3 * 4096);
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ (1 << (round % 8));
    for (const rest of ["-wal", "-shm"]) await rm(`${file()}${rest}`, { force: true });
    await writeFile(file(), damaged);
    try {
      const journal = await open();
      try {
        expect([at, await journal.read("r1")]).toEqual([at, events]);
        expect([at, await journal.runs()]).toEqual([at, ["r1", "r2"]]);
      } finally {
        await journal.close();
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw new Error(`byte ${at}`, { cause: error });
      expect(["journal_corrupt", "journal_newer"]).toContain(error.code);
      refused += 1;
    }
  }
  expect(refused).toBeGreaterThan(15);
});
