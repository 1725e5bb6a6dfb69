import { lstatSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { inCi, verifies } from "../../test/verifies.ts";
import { createRepository, type TempRepository } from "../../test/support/repository.ts";
import { cleanUp } from "./clean.ts";
import { commitTree } from "./objects/commit.ts";
import { hashFiles } from "./objects/contents.ts";
import { compareFingerprints, fingerprint } from "./checkout/fingerprint.ts";
import { planLanding } from "./land.ts";
import { mergeTrees } from "./merge.ts";
import { listRefs, updateRef } from "./refs.ts";
import { headCommit, openRepository, type Repository } from "./repository.ts";
import { rescue } from "./rescue.ts";
import { snapshot } from "./objects/snapshot.ts";
import { composeTree } from "./objects/tree.ts";
import { addWorktree, removeWorktree } from "./worktree/worktree.ts";
import { checkoutHead } from "./checkout/uncommitted.ts";

const run = "k7m2xq";
const resultRef = `refs/heads/mettle/${run}/result`;
const dateMs = 1_700_000_000_000;

/** All that a run does with git, from the first look to its result. */
async function work(repository: Repository, folder: string): Promise<string> {
  const base = await headCommit(repository);
  await checkoutHead(repository);
  const workspace = await addWorktree(repository, { path: join(folder, run, "writer"), commit: base });
  await writeFile(join(workspace, "new.ts"), "new");
  const { tree } = await snapshot(repository, { workspace, base });
  const parts = { base, overlay: tree, take: (path: string) => path === "new.ts" };
  const trailers = { "Mettle-Run": run };
  const composed = await composeTree(repository, parts);
  const result = await commitTree(repository, {
    tree: composed,
    parents: [base],
    subject: "Green",
    trailers,
    dateMs,
  });
  await updateRef(repository, { ref: resultRef, to: result, from: null });
  await rescue(repository, { run, key: "half", reason: "aborted", work: { workspace, base }, dateMs });
  await removeWorktree(repository, workspace);
  await hashFiles(repository, { commit: result, paths: ["new.ts"] });
  await mergeTrees(repository, { ours: base, theirs: result });
  const message = { subject: "Land", trailers };
  await planLanding(repository, { result, branch: "main", message, dateMs });
  await cleanUp(repository, { worktreesDir: folder, endedRuns: [run], nowMs: dateMs });
  return result;
}

async function dirtyRepository(): Promise<TempRepository> {
  const repo = await createRepository({
    files: { a: "1", b: "1", c: "1", gone: "1", ".gitignore": "ignored\n" },
  });
  await repo.write({ a: "stashed" });
  await repo.git("stash");
  await repo.write({ a: "staged" });
  await repo.git("add", "a");
  await repo.write({ a: "edited after staging", b: "edited", gone: null, untracked: "u", ignored: "i" });
  return repo;
}

const inGit = (repo: TempRepository, name: string) => readFileSync(join(repo.dir, ".git", name), "utf8");
const state = async (repo: TempRepository) => ({
  status: await repo.git("--no-optional-locks", "status", "--porcelain=v2", "--branch", "--ignored", "-uall"),
  index: [await repo.git("hash-object", ".git/index"), lstatSync(join(repo.dir, ".git/index")).mtimeMs],
  stash: await repo.git("stash", "list", "--format=%H %gs"),
  head: inGit(repo, "HEAD"),
  config: inGit(repo, "config"),
  branches: await repo.git("for-each-ref", "refs/heads/main", "refs/stash", "refs/tags", "refs/remotes"),
  worktrees: await repo.git("worktree", "list", "--porcelain"),
});

verifies(
  ["ORC-65", "CORE-70"],
  "after all that a run does, branch, index, stash, configuration and files of a dirty checkout are byte for byte the same",
  async () => {
    const repo = await dirtyRepository();
    await mkdir(join(repo.dir, ".git/hooks"), { recursive: true });
    for (const hook of ["post-checkout", "reference-transaction", "post-index-change", "pre-commit"]) {
      await writeFile(join(repo.dir, ".git/hooks", hook), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    }
    const folder = newFolder();
    const repository = await openRepository(repo.dir, { path: process.env["PATH"] ?? "" });
    const files = () => fingerprint(repo.dir, { ignore: (path) => path === ".git" });
    const before = { state: await state(repo), files: await files() };

    const result = await work(repository, folder);
    expect(await state(repo)).toEqual(before.state);
    expect(compareFingerprints(before.files, await files())).toEqual([]);
    const refs = (await listRefs(repository, "refs/")).map(({ ref }) => ref);
    expect(refs).toEqual(["refs/heads/main", resultRef, `refs/mettle/rescue/${run}/half`, "refs/stash"]);

    // The user's own git takes the result over.
    await rm(join(repo.dir, ".git/hooks"), { recursive: true });
    await repo.git("merge", "--ff-only", `mettle/${run}/result`);
    expect([await repo.git("rev-parse", "HEAD"), readFileSync(join(repo.dir, "new.ts"), "utf8")]).toEqual([
      result,
      "new",
    ]);
  },
);

inCi("the same work done again gives the same commits", async () => {
  const repo = await dirtyRepository();
  const folder = newFolder();
  const repository = await openRepository(repo.dir, { path: process.env["PATH"] ?? "" });
  const first = await work(repository, folder);
  const refs = await listRefs(repository, "refs/");
  expect(await work(repository, folder)).toBe(first);
  expect(await listRefs(repository, "refs/")).toEqual(refs);
});
