import { execFileSync } from "node:child_process";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { inCi, verifies, verifiesInCi } from "../../test/verifies.ts";
import { createRepository } from "../../test/support/repository.ts";
import {
  currentBranch,
  headCommit,
  isAncestor,
  openRepository,
  resolveCommit,
  uncommittedPaths,
} from "./repository.ts";
import { checkoutHead } from "./checkout/uncommitted.ts";

const path = process.env["PATH"] ?? "";
let folder: string;
beforeEach(() => void (folder = newFolder()));

const refusal = (dir: string, searched = path) =>
  openRepository(dir, { path: searched }).then(
    () => "opened",
    (error: { code?: string; exitCode?: number }) => [error.code, error.exitCode],
  );

inCi("a repository is the same from a subfolder, a worktree and through a symlink", async () => {
  const repo = await createRepository({ files: { "src/a.ts": "a" } });
  await repo.git("worktree", "add", "-q", "--detach", join(folder, "linked"));
  await symlink(repo.dir, join(folder, "link"));
  const opened = await Promise.all(
    [repo.dir, join(repo.dir, "src"), join(folder, "linked"), join(folder, "link")].map((dir) =>
      openRepository(dir, { path }),
    ),
  );
  const main = {
    root: repo.dir,
    gitDir: join(repo.dir, ".git"),
    checkout: repo.dir,
    checkoutGitDir: join(repo.dir, ".git"),
    user: expect.objectContaining({ HOME: expect.any(String) }),
  };
  const id = opened[0]?.id ?? "";
  expect(id).toMatch(/^[A-Za-z0-9_-]+-[0-9a-f]{8}$/);
  expect(id.startsWith(basename(repo.dir))).toBe(true);
  expect(opened).toEqual([
    { ...main, id, path },
    { ...main, id, path },
    {
      ...main,
      id,
      path,
      checkout: join(folder, "linked"),
      checkoutGitDir: join(repo.dir, ".git/worktrees/linked"),
    },
    { ...main, id, path },
  ]);
  const other = await createRepository();
  expect((await openRepository(other.dir, { path })).id).not.toBe(id);
});

test("a repository whose git directory stands elsewhere has its main checkout as root", async () => {
  const repo = await createRepository({ files: { a: "a" } });
  await repo.git("init", "-q", `--separate-git-dir=${join(folder, "store")}`);
  const opened = await openRepository(repo.dir, { path });
  expect([opened.root, opened.gitDir]).toEqual([repo.dir, join(folder, "store")]);
});

verifies(
  "CORE-91",
  "no git, no commit, a bare store and a missing folder are refused as bad input",
  async () => {
    const empty = await createRepository({ commit: false });
    const bare = join(folder, "bare");
    await empty.git("init", "-q", "--bare", bare);
    await mkdir(join(folder, "plain"));
    expect({
      plain: await refusal(join(folder, "plain")),
      missing: await refusal(join(folder, "missing")),
      bare: await refusal(bare),
      empty: await refusal(empty.dir),
    }).toEqual({
      plain: ["not_a_repository", 2],
      missing: ["not_a_repository", 2],
      bare: ["not_a_repository", 2],
      empty: ["no_commit", 2],
    });
  },
);

verifiesInCi(
  "CORE-91",
  "a detached HEAD and uncommitted changes are seen, and looking changes nothing",
  async () => {
    const repo = await createRepository({ files: { a: "1", b: "1", ".gitignore": "ignored\n" } });
    const opened = await openRepository(repo.dir, { path });
    const head = await headCommit(opened);
    expect(head).toBe(await repo.git("rev-parse", "HEAD"));
    expect(await checkoutHead(opened)).toEqual({ commit: head, branch: "main", isDirty: false });
    expect(await currentBranch(opened)).toBe("main");

    await repo.write({ a: "2", ignored: "x", "new/with space ü": "x" });
    await repo.git("update-index", "--assume-unchanged", "b");
    await repo.git("checkout", "-q", "--detach");
    const before = await repo.git("hash-object", ".git/index");
    expect([
      await currentBranch(opened),
      await checkoutHead(opened),
      await uncommittedPaths(opened),
      await headCommit(opened),
    ]).toEqual([null, { commit: head, branch: null, isDirty: true }, ["a", "new/with space ü"], head]);
    expect(await repo.git("hash-object", ".git/index")).toBe(before);
  },
);

test("HEAD is the one of the worktree that it was opened from", async () => {
  const repo = await createRepository({ files: { a: "1" } });
  await repo.git("worktree", "add", "-q", "-b", "side", join(folder, "linked"));
  await repo.write({ a: "2" });
  const moved = await repo.commit();
  const linked = await openRepository(join(folder, "linked"), { path });
  const before = await repo.git("rev-parse", "HEAD~");
  expect([await currentBranch(linked), await headCommit(linked)]).toEqual(["side", before]);
  expect(await checkoutHead(linked)).toEqual({ commit: before, branch: "side", isDirty: false });
  expect(await headCommit(await openRepository(repo.dir, { path }))).toBe(moved);
});

inCi("a revision resolves to its commit, or is unknown", async () => {
  const repo = await createRepository({ files: { a: "1" } });
  const opened = await openRepository(repo.dir, { path });
  const first = await headCommit(opened);
  await repo.git("tag", "-a", "v1", "-m", "tag");
  await repo.write({ a: "2" });
  const second = await repo.commit();
  expect(
    await Promise.all(["v1", "HEAD~1", first.slice(0, 8), "main"].map((rev) => resolveCommit(opened, rev))),
  ).toEqual([first, first, first, second]);
  for (const unknown of ["nowhere", "HEAD:a", "--help", "", "0".repeat(40), "main..HEAD"]) {
    await expect(resolveCommit(opened, unknown), unknown).rejects.toMatchObject({
      code: "revision_unknown",
      exitCode: 2,
    });
  }
  expect(
    await Promise.all([
      isAncestor(opened, { ancestor: first, of: second }),
      isAncestor(opened, { ancestor: second, of: first }),
    ]),
  ).toEqual([true, false]);
  await expect(isAncestor(opened, { ancestor: "nowhere", of: first })).rejects.toMatchObject({
    code: "revision_unknown",
  });
});

test("a missing git and one older than 2.38 are refused with exit 5", async () => {
  const repo = await createRepository();
  await writeFile(join(folder, "git"), "#!/bin/sh\necho git version 2.37.9\n");
  await chmod(join(folder, "git"), 0o755);
  expect([await refusal(repo.dir, join(folder, "none")), await refusal(repo.dir, folder)]).toEqual([
    ["git_missing", 5],
    ["git_missing", 5],
  ]);
});

test("a HEAD that names no branch is told from a repository without commits, and the likeliest branch is named", async () => {
  const repo = await createRepository({ files: { "a.txt": "a" } });
  await repo.git("branch", "mettle/run/result");
  await repo.git("branch", "another");
  await repo.git("symbolic-ref", "HEAD", "refs/heads/gone");
  await expect(openRepository(repo.dir, { path })).rejects.toMatchObject({
    code: "branch_unresolved",
    exitCode: 5,
    hint: "git switch main",
    detail: { branches: ["main", "another"] },
  });
});

test("a repository whose path holds a line break is refused with what helps (fault S10)", async () => {
  const broken = join(folder, "line\nbreak");
  execFileSync("git", ["init", "-q", broken]);
  expect(await refusal(broken)).toEqual(["path_refused", 2]);
});

test.skipIf(process.getuid?.() !== 0)(
  "a repository of another user is called that, and `git init` is no help (fault L5; SKIPPED for another user than root)",
  async () => {
    execFileSync("git", ["init", "-q", folder]);
    execFileSync("chown", ["-R", "12345", folder]);
    await expect(openRepository(folder, { path })).rejects.toMatchObject({
      code: "not_a_repository",
      message: `${folder} belongs to another user, so git does not open it`,
      hint: expect.stringMatching(/^If it should be yours: sudo chown/) as string,
    });
    execFileSync("chown", ["-R", "0", folder]);
  },
);
