import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { verifies, verifiesInCi, verifiesWhen } from "../../test/verifies.ts";
import { AppError } from "../lib/errors.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { filePayloads } from "./file-payloads.ts";
import type { Journal, NewEvent } from "./journal.ts";
import { openJournal } from "./open.ts";
import { schema, versionOf, type Schema } from "./schema.ts";
import { openStore, type Store } from "./store.ts";

const clock = manualClock("2026-03-04T05:06:07.089Z");
const event: NewEvent = { type: "tick", data: { text: "x".repeat(3000) } };

let home: string;
beforeEach(() => void (home = newFolder()));

function open(folder = home): Promise<Journal> {
  return openJournal({ home: folder, clock, alive: () => true, lockTimeoutMs: 300 });
}

async function hash(file: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
}

async function failure(deed: () => Promise<unknown>): Promise<{ code: string; exit: number; hint: string }> {
  try {
    await deed();
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, exit: error.exitCode, hint: error.hint };
    throw error;
  }
  throw new Error("nothing failed");
}

/** A file system of its own on a new folder, or null where this user may not mount one. */
function mount(size: string): string | null {
  const folder = newFolder();
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder], { stdio: "ignore" });
    return folder;
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return null;
  }
}

function unmount(folder: string): void {
  execFileSync("umount", ["--lazy", folder]);
  rmSync(folder, { recursive: true, force: true });
}

const trial = mount("64k");
if (trial !== null) unmount(trial);
const canMount = trial !== null;
const asRoot = process.getuid?.() === 0;

verifiesWhen(
  canMount,
  "only root can mount a small disk",
  "CORE-90",
  "a full disk stops with disk_full, changes nothing, and goes on when there is room",
  async () => {
    const disk = mount("1m") ?? "";
    try {
      const filler = join(disk, "filler");
      await writeFile(filler, Buffer.alloc(300_000));
      const journal = await open(disk);
      let head = 0;
      const fill = async () => {
        for (; head < 500; head++) await journal.append("r1", head, [event]);
      };
      expect(await failure(fill)).toEqual({
        code: "disk_full",
        exit: 5,
        hint: expect.stringContaining("Free some disk space"),
      });
      expect(head).toBeGreaterThan(5);
      const before = await hash(join(disk, "mettle.db"));
      expect((await failure(() => journal.append("r1", head, [event, event]))).code).toBe("disk_full");
      expect(await hash(join(disk, "mettle.db"))).toBe(before);
      expect((await journal.read("r1")).map(({ seq }) => seq)).toEqual(
        Array.from({ length: head }, (_, index) => index + 1),
      );

      const payloads = filePayloads(join(disk, "payloads"));
      expect((await failure(() => payloads.put(Buffer.alloc(400_000)))).code).toBe("disk_full");
      const left = await readdir(join(disk, "payloads"), { recursive: true }).catch(() => []);
      expect(left.filter((name) => name.length > 2)).toEqual([]);

      await rm(filler);
      expect((await journal.append("r1", head, [event]))[0]?.seq).toBe(head + 1);
      await payloads.put("small");
      await journal.close();
    } finally {
      unmount(disk);
    }
  },
);

verifiesWhen(
  canMount,
  "only root can mount a small disk",
  "CORE-90",
  "a disk that is full from the start gives disk_full, and a journal once there is room",
  async () => {
    const disk = mount("256k") ?? "";
    try {
      const filler = join(disk, "filler");
      await writeFile(filler, Buffer.alloc(400_000)).catch(() => undefined); // fills what there is
      expect(await failure(() => open(disk))).toMatchObject({ code: "disk_full", exit: 5 });
      await truncate(filler, 0);
      const journal = await open(disk);
      expect((await journal.append("r1", 0, [event]))[0]?.seq).toBe(1);
      await journal.close();
    } finally {
      unmount(disk);
    }
  },
);

verifiesWhen(
  !asRoot || canMount,
  "root needs a mount to see a read-only folder",
  "CORE-90",
  "a read-only state home stops with state_unwritable and the file as it was",
  async () => {
    const folder = asRoot ? (mount("2m") ?? "") : join(home, "state");
    if (!asRoot) mkdirSync(folder);
    const setWritable = (writable: boolean) => {
      if (asRoot) execFileSync("mount", ["-o", `remount,${writable ? "rw" : "ro"}`, folder]);
      else for (const path of [join(folder, "mettle.db"), folder]) chmodSync(path, writable ? 0o700 : 0o500);
    };
    try {
      const journal = await open();
      await journal.append("r1", 0, [event]);
      await journal.close();
      for (const name of ["mettle.db", "mettle.db-wal"])
        await copyFile(join(home, name), join(folder, name)).catch(() => undefined);
      const before = await hash(join(folder, "mettle.db"));
      setWritable(false);
      expect(await failure(() => open(folder))).toEqual({
        code: "state_unwritable",
        exit: 5,
        hint: expect.stringContaining("METTLE_HOME"),
      });
      expect((await failure(() => open(join(folder, "new")))).code).toBe("state_unwritable");
      expect((await failure(() => filePayloads(join(folder, "payloads")).put("x"))).code).toBe(
        "state_unwritable",
      );
      expect(await hash(join(folder, "mettle.db"))).toBe(before);
      setWritable(true);
      const again = await open(folder);
      expect(await again.head("r1")).toBe(1);
      await again.close();
    } finally {
      if (asRoot) unmount(folder);
      else setWritable(true);
    }
  },
);

verifies("CORE-90", "a state home that is a file stops with state_unwritable", async () => {
  await writeFile(join(home, "state"), "a file");
  expect(await failure(() => open(join(home, "state")))).toMatchObject({ code: "state_unwritable", exit: 5 });
});

verifiesInCi(
  "CORE-90",
  "a journal locked past the timeout stops with journal_locked and goes on when the lock is gone",
  async () => {
    const journal = await open();
    await journal.append("r1", 0, [event]);
    const other = await openStore({ home, clock });
    other.db.exec("BEGIN EXCLUSIVE");
    const before = await hash(join(home, "mettle.db"));
    expect(await failure(() => journal.append("r1", 1, [event]))).toEqual({
      code: "journal_locked",
      exit: 5,
      hint: expect.stringContaining("try again"),
    });
    expect((await failure(() => journal.claim("r1", { pid: 1, started: "" }))).code).toBe("journal_locked");
    expect(await journal.head("r1")).toBe(1);
    expect(await hash(join(home, "mettle.db"))).toBe(before);
    other.db.exec("ROLLBACK");
    await other.close();
    expect((await journal.append("r1", 1, [event]))[0]?.seq).toBe(2);
    await journal.claim("r1", { pid: 1, started: "" });
    // What was stored after a lock was met is seen by others, and still there when the opener has gone.
    const watcher = await open();
    expect([await watcher.head("r1"), await watcher.owner("r1")]).toEqual([2, { pid: 1, started: "" }]);
    await journal.close();
    const later = await open();
    expect(await later.head("r1")).toBe(2);
    await later.close();
    await watcher.close();
  },
);

verifies("CORE-90", "a lock that is given back in time is waited for while other work goes on", async () => {
  const journal = await openJournal({ home, clock, alive: () => true, lockTimeoutMs: 10_000 });
  const other = await openStore({ home, clock });
  other.db.exec("BEGIN EXCLUSIVE");
  const append = journal.append("r1", 0, [event]);
  let turns = 0;
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      turns += 1;
      if (turns < 3) return;
      clearInterval(timer);
      resolve();
    }, 1);
  });
  other.db.exec("ROLLBACK");
  await other.close();
  expect((await append)[0]?.seq).toBe(1);
  await journal.close();
});

/** The tables as a later version might have them. */
const later: Schema = {
  migrations: [...schema.migrations, "CREATE TABLE later (x INTEGER) STRICT; INSERT INTO later VALUES (7);"],
};

async function openLater(): Promise<Store> {
  return openStore({ home, clock, schema: later });
}

verifies(
  ["CORE-90", "CORE-100"],
  "a journal of a newer version stops with journal_newer and is left byte for byte, also while the version stands in the log only",
  async () => {
    const before = await openLater();
    const files = async () =>
      Object.fromEntries(
        await Promise.all(
          ["mettle.db", "mettle.db-wal"].map(
            async (name) => [name, await hash(join(home, name)).catch(() => "none")] as const,
          ),
        ),
      );
    const inLog = await files();
    expect((await readFile(join(home, "mettle.db"))).readUInt32BE(60)).toBe(0);
    expect(await failure(() => open())).toEqual({
      code: "journal_newer",
      exit: 5,
      hint: expect.stringContaining("newer Mettle"),
    });
    expect(await files()).toEqual(inLog);

    before.db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").raw().get();
    await before.close();
    const inFile = await hash(join(home, "mettle.db"));
    expect((await readFile(join(home, "mettle.db"))).readUInt32BE(60)).toBe(versionOf(later));
    expect((await failure(() => open())).code).toBe("journal_newer");
    expect(await hash(join(home, "mettle.db"))).toBe(inFile);
  },
);

verifies(
  ["CORE-90", "CORE-100"],
  "an older journal is migrated once, after a backup that opens and holds everything",
  async () => {
    const journal = await open();
    const events = await journal.append("r1", 0, [event, event]);
    await journal.close();

    const stores = await Promise.all([openLater(), openLater()]);
    for (const store of stores) {
      expect(store.db.prepare("PRAGMA user_version").raw().get()).toEqual([versionOf(later)]);
      expect(store.db.prepare("SELECT x FROM later").raw().all()).toEqual([[7]]);
      expect(store.db.prepare("SELECT count(*) FROM events").raw().get()).toEqual([2]);
      await store.close();
    }

    const backup = `mettle.db.v${versionOf(schema)}-20260304T050607089Z.backup`;
    expect((await readdir(home)).filter((name) => name.endsWith(".backup"))).toEqual([backup]);
    expect((await stat(join(home, backup))).size).toBeGreaterThan(0);
    const old = join(home, "old");
    await mkdir(old);
    await copyFile(join(home, backup), join(old, "mettle.db"));
    const restored = await open(old);
    expect(await restored.read("r1")).toEqual(events);
    await restored.close();
  },
);

verifies("CORE-90", "a migration that fails leaves the older journal as it was", async () => {
  const journal = await open();
  const events = await journal.append("r1", 0, [event]);
  await journal.close();
  const broken: Schema = {
    migrations: [
      ...schema.migrations,
      "CREATE TABLE later (x INTEGER) STRICT; INSERT INTO nowhere VALUES (1);",
    ],
  };
  await expect(openStore({ home, clock, schema: broken })).rejects.toThrow();
  const again = await open();
  expect(await again.read("r1")).toEqual(events);
  await again.close();
});
