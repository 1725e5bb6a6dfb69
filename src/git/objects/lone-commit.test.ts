import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { createRepository } from "../../../test/support/repository.ts";
import { loneRepository } from "./lone-commit.ts";
import { openRepository } from "../repository.ts";
import { addWorktree } from "../worktree/worktree.ts";

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync("git", [...args], { cwd, encoding: "utf8" }).trim();

test("holds the one commit with all its files, and no object beside it", async () => {
  const made = await createRepository({ files: { "src/a.js": "first\n", "b.txt": "b\n" } });
  const folder = newFolder();

  await made.write({ "src/a.js": "second\n" });
  await made.commit();
  await made.git("branch", "secret");
  await made.write({ "src/a.js": "third\n" });
  await made.commit();
  const repository = await openRepository(made.dir, { path: process.env["PATH"] ?? "" });
  const commit = await made.git("rev-parse", "secret");
  const worktree = await addWorktree(repository, { path: join(folder, "work"), commit });
  const dir = join(folder, "lone");
  const { pointer } = await loneRepository(repository, { dir, commit, worktree, excludes: ["/notes/"] });
  const own = await readFile(join(worktree, ".git"));
  await writeFile(join(worktree, ".git"), await readFile(pointer));

  expect(git(worktree, "log", "--all", "--format=%H %P")).toBe(commit);
  expect(git(worktree, "status", "--porcelain")).toBe("");
  expect(git(worktree, "show", "HEAD:src/a.js")).toBe("second");
  expect(git(worktree, "fsck", "--full", "--strict")).toBe("");
  const objects = git(worktree, "cat-file", "--batch-all-objects", "--batch-check=%(objecttype)");
  expect(objects.split("\n").sort()).toEqual(["blob", "blob", "commit", "tree", "tree"]);
  await writeFile(join(worktree, "b.txt"), "c\n");
  expect(git(worktree, "diff", "--name-only")).toBe("b.txt");

  // A dispatch that is done again finds nothing of the one before.
  await writeFile(join(worktree, ".git"), own);
  await loneRepository(repository, {
    dir,
    commit: await made.git("rev-parse", "HEAD"),
    worktree,
    excludes: [],
  });
  expect(git(folder, "--git-dir=lone", "log", "--all", "--format=%H")).toBe(
    await made.git("rev-parse", "HEAD"),
  );
});
