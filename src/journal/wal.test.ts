/** A log that a killed process left behind, sound, torn at its end, and damaged. */
import { copyFile, mkdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { AppError } from "../lib/errors.ts";
import { manualClock } from "../testing/manual-clock.ts";
import type { Journal } from "./journal.ts";
import { openJournal } from "./open.ts";

let folder: string;
let home: string;
let writer: Journal;
let log: Buffer;

const open = (place: string) => openJournal({ home: place, clock: manualClock(), alive: () => true });
const wal = () => join(home, "mettle.db-wal");

/** What is on the disk while a process still has the journal open is what its kill leaves. */
beforeEach(async () => {
  folder = newFolder();
  writer = await open(join(folder, "alive"));
  for (let n = 0; n < 20; n += 1)
    await writer.append(n % 2 === 0 ? "r1" : "r2", n >> 1, [
      { type: "tick", data: { n, text: "x".repeat(3_000) } },
    ]);
  home = join(folder, "killed");
  await mkdir(home);
  for (const name of ["mettle.db", "mettle.db-wal"])
    await copyFile(join(folder, "alive", name), join(home, name));
  log = await readFile(wal());
});
afterEach(() => writer.close());

async function counted(): Promise<readonly number[]> {
  const journal = await open(home);
  try {
    return [(await journal.read("r1")).length, (await journal.read("r2")).length];
  } finally {
    await journal.close();
  }
}

async function spoil(at: number): Promise<void> {
  const bytes = Buffer.from(log);
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  await writeFile(wal(), bytes);
}

test("a sound log is read, and one whose end a crash tore off loses that end alone", async () => {
  const frames = (log.length - 32) / 4_120;
  expect(Number.isInteger(frames)).toBe(true);
  await truncate(wal(), log.length - 100);
  expect(await counted()).toEqual([10, 9]);
});

test("damage of the last frame is what SQLite itself leaves out", async () => {
  await spoil(log.length - 2_000);
  expect(await counted()).toEqual([10, 9]);
});

test("all of it is read where nothing is wrong", async () => {
  expect(await counted()).toEqual([10, 10]);
});

test.each([
  ["its head", 5],
  ["its first frame", 32 + 100],
  ["the salt of a frame in the middle", 32 + 4_120 * 10 + 9],
  ["a page in the middle", 32 + 4_120 * 12 + 2_000],
])("damage of %s is journal_corrupt, and nothing is touched", { tags: "ci" }, async (_what, at) => {
  await spoil(at);
  const before = [await readFile(wal()), await readFile(join(home, "mettle.db"))];
  const refused: unknown = await open(home).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(AppError);
  expect(refused).toMatchObject({ code: "journal_corrupt", exitCode: 5 });
  expect([await readFile(wal()), await readFile(join(home, "mettle.db"))]).toEqual(before);
  await writeFile(wal(), log);
  expect(await counted()).toEqual([10, 10]);
});

test("a process that writes all the time is never taken for damage", async () => {
  const place = join(folder, "alive");
  let isOver = false;
  const writes = (async () => {
    for (let n = 10; n < 60; n += 1) await writer.append("r1", n, [{ type: "tick", data: { n } }]);
    isOver = true;
  })();
  while (!isOver) {
    const reader = await open(place);
    expect((await reader.read("r1")).length).toBeGreaterThan(9);
    await reader.close();
  }
  await writes;
});

test("an empty file where runs left their texts is journal_corrupt, and a new one is a new journal", async () => {
  await rm(wal());
  await truncate(join(home, "mettle.db"), 0);
  await mkdir(join(home, "payloads", "ab"), { recursive: true });
  await expect(open(home)).rejects.toMatchObject({ code: "journal_corrupt" });
  await rm(join(home, "payloads"), { recursive: true });
  expect(await counted()).toEqual([0, 0]);
});
