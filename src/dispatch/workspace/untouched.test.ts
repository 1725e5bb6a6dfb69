import { chmod, mkdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { openRepository, type Repository } from "../../git/repository.ts";
import { addWorktree } from "../../git/worktree/worktree.ts";
import { createRepository, type TempRepository } from "../../../test/support/repository.ts";
import { isUntouched, takeFingerprint } from "./untouched.ts";
import { inCi } from "../../../test/verifies.ts";

let repo: TempRepository;
let repository: Repository;
let folder: string;
beforeEach(async () => {
  repo = await createRepository({ files: { "src/a.js": "one", "b.sh": "two" } });
  repository = await openRepository(repo.dir, { path: process.env["PATH"] ?? "" });
  folder = newFolder();
});

/** A workspace with a document, and what is said of it after a deed. */
async function after(deed: (path: string) => Promise<unknown>): Promise<boolean> {
  const commit = await repo.git("rev-parse", "HEAD");
  const path = await addWorktree(repository, { path: join(folder, "work"), commit });
  await mkdir(join(path, ".claude/temp"), { recursive: true });
  await writeFile(join(path, ".claude/temp/spec.md"), "spec");
  const fingerprint = await takeFingerprint(repository, { path, commit });
  await deed(path);
  return isUntouched(path, fingerprint);
}

test("a workspace with only new documents is untouched", async () => {
  expect(await after((path) => writeFile(join(path, ".claude/temp/review.md"), "fine"))).toBe(true);
});

test.each<readonly [string, (path: string) => Promise<unknown>]>([
  ["a new file", (path) => writeFile(join(path, "src/new.js"), "")],
  ["a deleted file", (path) => rm(join(path, "b.sh"))],
  ["another mode", (path) => chmod(join(path, "b.sh"), 0o755)],
  ["a file in a folder that is ignored elsewhere", async (path) => mkdirWith(join(path, "node_modules/x"))],
  [
    "another content of the same length with the old time",
    async (path) => {
      const file = join(path, "src/a.js");
      const { atime, mtime } = await stat(file);
      await writeFile(file, "eno");
      await utimes(file, atime, mtime);
    },
  ],
])("%s is seen", async (_what, deed) => {
  expect(await after(deed)).toBe(false);
});

inCi("there is no fingerprint if the commit has documents or a name that is not UTF-8", async () => {
  const nothing = () => Promise.resolve();
  await writeFile(Buffer.concat([Buffer.from(`${repo.dir}/`), Buffer.from([0xff, 0x61])]), "bytes");
  await repo.commit();
  expect(await after(nothing)).toBe(false);
  await rm(join(folder, "work"), { recursive: true });
  await repo.git("reset", "--quiet", "--hard", "HEAD^");
  await repo.write({ ".claude/temp/spec.md": "tracked" });
  await repo.git("add", "--force", ".claude");
  await repo.commit();
  await repo.git("worktree", "prune");
  expect(await after(nothing)).toBe(false);
});

async function mkdirWith(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  await writeFile(join(path, "index.js"), "");
}
