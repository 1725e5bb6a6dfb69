import { spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { withLock } from "./lock.ts";

let dir = "";
beforeAll(() => void (dir = newFolder()));

test("work in one process runs one after the other, even if some fails", async () => {
  const file = join(dir, "one");
  let inside = 0;
  let most = 0;
  const turn = async (index: number) => {
    most = Math.max(most, ++inside);
    await new Promise((resolve) => setTimeout(resolve, 3));
    inside--;
    if (index === 3) throw new Error("three");
    return index;
  };
  const ended = await Promise.allSettled(
    Array.from({ length: 8 }, (_, index) => withLock(file, () => turn(index))),
  );
  expect(most).toBe(1);
  expect(ended.map((one) => (one.status === "fulfilled" ? one.value : String(one.reason)))).toEqual([
    0,
    1,
    2,
    "Error: three",
    4,
    5,
    6,
    7,
  ]);
  expect((await stat(file)).size).toBe(0);
});

test("a killed holder releases the lock, and the wait for a living one ends at its limit", async () => {
  const file = join(dir, "two");
  const holder = `const Libsql = require("libsql");
    new Libsql(${JSON.stringify(file)}).exec("BEGIN EXCLUSIVE");
    console.log("held"); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["-e", holder], { stdio: ["ignore", "pipe", "inherit"] });
  const exit = once(child, "exit");
  await once(child.stdout, "data");
  await expect(withLock(file, async () => 1, 60)).rejects.toMatchObject({ code: "plan_busy" });
  child.kill("SIGKILL");
  await exit;
  expect(await withLock(file, async () => 1, 0)).toBe(1);
});

test("a lock in a missing folder is an error", async () => {
  await expect(withLock(join(dir, "none", "lock"), async () => 1)).rejects.toMatchObject({
    code: "state_unwritable",
  });
});
