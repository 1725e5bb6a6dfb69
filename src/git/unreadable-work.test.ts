import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { createRepository, type TempRepository } from "../../test/support/repository.ts";
import { fingerprint } from "./checkout/fingerprint.ts";
import { headCommit, openRepository, type Repository } from "./repository.ts";
import { rescue } from "./rescue.ts";
import { snapshot } from "./objects/snapshot.ts";
import { addWorktree, removeWorktree } from "./worktree/worktree.ts";
import { inCi } from "../../test/verifies.ts";

let repo: TempRepository;
let repository: Repository;
let base: string;
let folder: string;
let workspace: string;
beforeEach(async () => {
  repo = await createRepository({ files: { "src/a.js": "a\n", "src/b.js": "b\n" } });
  repository = await openRepository(repo.dir, { path: process.env["PATH"] ?? "" });
  base = await headCommit(repository);
  folder = newFolder();
  workspace = await addWorktree(repository, { path: join(folder, "w"), commit: base });
  await writeFile(join(workspace, "src/b.js"), "B\n");
});
afterEach(() => {
  execFileSync("chmod", ["-R", "u+rwX", folder]);
  execFileSync("rm", ["-rf", folder]);
});

/** What is left out is named, the rest is kept, and the workspace can be removed: so a run goes on. */
async function keepsTheRest(leftOut: readonly (readonly [string, string])[], changed = ["src/b.js"]) {
  const taken = await snapshot(repository, { workspace, base });
  expect(taken.leftOut.map(({ path, reason }) => [path, reason])).toEqual(leftOut);
  expect(taken.changed.map(({ path }) => path)).toEqual(changed);
  const work = { workspace, base };
  const kept = await rescue(repository, { run: "k", key: "k", reason: "left", work, dateMs: 0 });
  const message = await repo.git("log", "-1", "--format=%B", kept?.ref ?? "");
  for (const [path] of leftOut) expect(message).toContain(`Not kept: ${path} (`);
  await removeWorktree(repository, workspace);
  expect(existsSync(workspace)).toBe(false);
}

test("a sparse file of many gigabytes, new or in the place of a tracked one, is left out (fault S7)", async () => {
  await writeFile(join(workspace, "src/big.js"), "");
  await truncate(join(workspace, "src/big.js"), 500 * 1024 ** 3);
  await truncate(join(workspace, "src/a.js"), 3 * 1024 ** 3);
  await keepsTheRest([
    ["src/a.js", "too_large"],
    ["src/big.js", "too_large"],
  ]);
}, 20_000);

inCi("a tracked file that is large, and as it was, is no fault of anybody's", async () => {
  await truncate(join(repo.dir, "src/a.js"), 60 * 1024 ** 2);
  base = await repo.commit();
  workspace = await addWorktree(repository, { path: join(folder, "second"), commit: base });
  await writeFile(join(workspace, "src/b.js"), "B\n");
  await keepsTheRest([]);
});

test("files that attributes forbid to convert are left out alone (fault S7)", async () => {
  await writeFile(join(workspace, ".gitattributes"), "*.txt working-tree-encoding=UTF-16\n");
  await writeFile(join(workspace, "bad.txt"), "no byte order mark");
  await writeFile(join(workspace, "worse.txt"), "x");
  for (let at = 0; at < 40; at += 1) await writeFile(join(workspace, `good-${at}.js`), `${at}`);
  const good = Array.from({ length: 40 }, (_, at) => `good-${at}.js`).toSorted();
  await keepsTheRest(
    [
      ["bad.txt", "unreadable"],
      ["worse.txt", "unreadable"],
    ],
    [".gitattributes", ...good, "src/b.js"],
  );
});

test("folders nested deeper than a path can say are left out, and removed (fault S7)", async () => {
  execFileSync("sh", [
    "-c",
    `cd "$1/src" && i=0; while [ $i -lt 60 ]; do d=$(printf 'd%.0s' $(seq 200)); mkdir "$d" && cd -P "$d" 2>/dev/null || exit 0; i=$((i+1)); done; : > last`,
    "sh",
    workspace,
  ]);
  const taken = await snapshot(repository, { workspace, base });
  expect(taken.leftOut.map(({ reason }) => reason)).toEqual(["unreadable"]);
  expect(taken.changed.map(({ path }) => path)).toEqual(["src/b.js"]);
  expect((await fingerprint(workspace, { ignore: () => false })).size).toBeGreaterThan(0);
  await rescue(repository, { run: "k", key: "k", reason: "left", work: { workspace, base }, dateMs: 0 });
  await removeWorktree(repository, workspace);
  expect(existsSync(workspace)).toBe(false);
}, 20_000);

test("pipes, also where git reads its own files, wait for nobody (fault S7)", async () => {
  await mkdir(join(workspace, "deep"));
  for (const name of ["pipe", ".gitattributes", "src/.gitignore", "deep/.gitattributes", ".gitmodules"])
    execFileSync("mkfifo", [join(workspace, name)]);
  await keepsTheRest([]);
}, 20_000);

test.skipIf(process.getuid?.() === 0)(
  "what nobody may read is left out, tracked or not (fault S7)",
  async () => {
    await writeFile(join(workspace, "closed"), "x");
    await mkdir(join(workspace, "closed-folder"));
    await chmod(join(workspace, "closed"), 0);
    await chmod(join(workspace, "src/a.js"), 0);
    await chmod(join(workspace, "closed-folder"), 0);
    await keepsTheRest([
      ["closed-folder", "unreadable"],
      ["closed", "unreadable"],
      ["src/a.js", "unreadable"],
    ]);
  },
);
