import { mkdirSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { inCi, verifies } from "../../../test/verifies.ts";
import { compareFingerprints, fingerprint, fingerprintUpTo } from "./fingerprint.ts";

let dir: string;
beforeEach(async () => {
  dir = newFolder();
  await mkdir(join(dir, "src/deep"), { recursive: true });
  await mkdir(join(dir, "node_modules/m"), { recursive: true });
  for (const name of ["a", "b", "c", "d", "e", "src/f", "src/deep/g", "node_modules/m/index.js"])
    await writeFile(join(dir, name), "1");
});

const look = () => fingerprint(dir, { ignore: (path) => path.split("/").includes("node_modules") });

verifies(
  "CORE-62",
  "every way of writing is seen: editor, shell, script, replacing, re-dating, linking, deleting, moving",
  async () => {
    await utimes(join(dir, "d"), 1_000, 1_000);
    const before = await look();
    expect(compareFingerprints(before, await look())).toEqual([]);
    await writeFile(join(dir, "a"), "2"); // same size
    execFileSync("sh", ["-c", `echo x >> "${dir}/b"`]);
    execFileSync(process.execPath, [
      "-e",
      `require("fs").writeFileSync(${JSON.stringify(join(dir, "src/new"))}, "n")`,
    ]);
    await writeFile(join(dir, "tmp"), "2");
    await rename(join(dir, "tmp"), join(dir, "c"));
    await writeFile(join(dir, "d"), "9");
    await utimes(join(dir, "d"), 1_000, 1_000); // puts the modification time back
    await rm(join(dir, "e"));
    await symlink("e", join(dir, "e"));
    await rm(join(dir, "src/f"));
    await rename(join(dir, "src/deep"), join(dir, "moved"));
    await writeFile(join(dir, "node_modules/m/index.js"), "ignored");
    const paths = compareFingerprints(before, await look());
    expect(paths).toEqual(["a", "b", "c", "d", "e", "moved/g", "src/deep/g", "src/f", "src/new"]);
  },
);

test("a changed mode is a change, reading is none", async () => {
  const before = await look();
  execFileSync("cat", [join(dir, "a")]);
  await chmod(join(dir, "b"), 0o755);
  expect(compareFingerprints(before, await look())).toEqual(["b"]);
});

test("a folder that is not there has no files", async () => {
  expect(await fingerprint(join(dir, "none"), { ignore: () => false })).toEqual(new Map());
});

inCi("two thousand files cost a fraction of a second of this process", async () => {
  for (let file = 0; file < 2_000; file += 1) {
    if (file % 200 === 0) mkdirSync(join(dir, `many/${file}`), { recursive: true });
    writeFileSync(join(dir, `many/${file - (file % 200)}/${file}`), "");
  }
  const before = process.cpuUsage();
  expect((await look()).size).toBe(2_007);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(500);
});

test("more files than are wanted are no fingerprint", async () => {
  const ignore = (path: string) => path === "node_modules";
  expect((await fingerprintUpTo(dir, { ignore, maxFiles: 7 }))?.size).toBe(7);
  expect(await fingerprintUpTo(dir, { ignore, maxFiles: 6 })).toBeNull();
});
