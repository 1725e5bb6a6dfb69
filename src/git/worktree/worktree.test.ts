import { existsSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { inCi, verifiesInCi } from "../../../test/verifies.ts";
import { createRepository, type TempRepository } from "../../../test/support/repository.ts";
import { headCommit, openRepository, type Repository } from "../repository.ts";
import { addWorktree, listWorktrees, removeWorktree } from "./worktree.ts";

const path = process.env["PATH"] ?? "";
let repo: TempRepository;
let repository: Repository;
let commit: string;
let folder: string;
beforeEach(async () => {
  repo = await createRepository({ files: { "a/b": "content", c: "c" } });
  repository = await openRepository(repo.dir, { path });
  commit = await headCommit(repository);
  folder = newFolder();
});

verifiesInCi(
  "CORE-70",
  "twenty worktrees at once all succeed, ten times, without a hook, the stash or a write to the configuration",
  async () => {
    await mkdir(join(repo.dir, ".git/hooks"), { recursive: true });
    for (const hook of ["post-checkout", "reference-transaction", "post-index-change"]) {
      await writeFile(join(repo.dir, ".git/hooks", hook), `#!/bin/sh\ntouch ${folder}/hook-ran\nexit 1\n`, {
        mode: 0o755,
      });
    }
    await repo.write({ c: "stashed" });
    await repo.git("-c", "core.hooksPath=/dev/null", "stash");
    const state = async () => [
      readFileSync(join(repo.dir, ".git/config"), "utf8"),
      existsSync(join(repo.dir, ".git/config.worktree")),
      await repo.git("for-each-ref"),
      await repo.git("stash", "list"),
    ];
    const before = await state();
    for (let round = 0; round < 10; round += 1) {
      // The same base name in different folders is the hard case: git must find a name for each below .git/worktrees.
      const paths = Array.from({ length: 20 }, (_, index) => join(folder, `run-${index}`, "work"));
      expect(await Promise.all(paths.map((at) => addWorktree(repository, { path: at, commit })))).toEqual(
        paths,
      );
      expect(paths.filter((at) => readFileSync(join(at, "a/b"), "utf8") !== "content")).toEqual([]);
      const listed = (await listWorktrees(repository)).filter(({ isMain }) => !isMain);
      expect(listed.map((entry) => entry.path).sort()).toEqual([...paths].sort());
      expect(new Set(listed.map((entry) => `${entry.commit} ${entry.branch} ${entry.prunable}`))).toEqual(
        new Set([`${commit} null false`]),
      );
      await Promise.all(paths.map((at) => removeWorktree(repository, at)));
      expect([(await listWorktrees(repository)).length, paths.filter((at) => existsSync(at))]).toEqual([
        1,
        [],
      ]);
    }
    expect(await state()).toEqual(before);
    expect(existsSync(join(folder, "hook-ran"))).toBe(false);
  },
);

test("a place that is taken is refused and left as it is", async () => {
  await mkdir(join(folder, "taken"));
  await writeFile(join(folder, "taken/work"), "someone's");
  await expect(addWorktree(repository, { path: join(folder, "taken"), commit })).rejects.toMatchObject({
    code: "worktree_failed",
  });
  expect(readFileSync(join(folder, "taken/work"), "utf8")).toBe("someone's");
});

inCi("a failed attempt leaves nothing", async () => {
  await expect(
    addWorktree(repository, { path: join(folder, "w"), commit: "0".repeat(40) }),
  ).rejects.toMatchObject({ code: "worktree_failed", exitCode: 5 });
  expect([existsSync(join(folder, "w")), (await listWorktrees(repository)).length]).toEqual([false, 1]);
});

test("a worktree holds every file as stored, where the user's checkout is sparse or filtered", async () => {
  await repo.write({ ".gitattributes": "c filter=upper\n" });
  commit = await repo.commit();
  await repo.git("config", "filter.upper.smudge", "tr a-z A-Z");
  await repo.git("sparse-checkout", "set", "nothing");
  expect(existsSync(join(repo.dir, "a"))).toBe(false);
  const config = readFileSync(join(repo.dir, ".git/config"), "utf8");
  const at = await addWorktree(repository, { path: join(folder, "w"), commit });
  expect([readFileSync(join(at, "a/b"), "utf8"), readFileSync(join(at, "c"), "utf8")]).toEqual([
    "content",
    "c",
  ]);
  expect(readFileSync(join(repo.dir, ".git/config"), "utf8")).toBe(config);
});

inCi("git itself adds a worktree where refs are tables, and either kind is one to git", async () => {
  const one = await addWorktree(repository, { path: join(folder, "odd name.lock"), commit });
  await mkdir(join(repo.dir, ".git/reftable"));
  const two = await addWorktree(repository, { path: join(folder, "x/odd name.lock"), commit });
  for (const at of [one, two])
    expect([
      await repo.git("-C", at, "status", "--porcelain=v2", "--branch"),
      await repo.git("-C", at, "rev-parse", "--show-toplevel"),
    ]).toEqual([`# branch.oid ${commit}\n# branch.head (detached)`, at]);
  await repo.git("worktree", "prune");
  expect((await listWorktrees(repository)).map(({ path: at, locked }) => [at, locked])).toEqual([
    [repository.root, false],
    [one, false],
    [two, false],
  ]);
  for (const at of [one, two]) await repo.git("worktree", "remove", at);
});

test("removing a worktree takes both halves, also a broken one, and nothing there is fine", async () => {
  const [one, two] = [join(folder, "one"), join(folder, "two")];
  for (const at of [one, two]) await addWorktree(repository, { path: at, commit });
  await writeFile(join(one, "c"), "dirty");
  await repo.git("worktree", "lock", one);
  await rm(join(two, ".git"));
  await mkdir(join(folder, "unregistered/x"), { recursive: true });
  for (const at of [one, two, join(folder, "unregistered"), join(folder, "never")])
    await removeWorktree(repository, at);
  expect([
    [one, two, join(folder, "unregistered")].filter((at) => existsSync(at)),
    (await listWorktrees(repository)).length,
  ]).toEqual([[], 1]);
});

test("worktrees are listed while others are created and removed", async () => {
  const paths = Array.from({ length: 24 }, (_, index) => join(folder, `many-${index}`));
  let isDone = false;
  const adding = Promise.all(
    paths.map(async (at, index) => {
      await addWorktree(repository, { path: at, commit });
      if (index % 2 === 0) await removeWorktree(repository, at);
    }),
  ).finally(() => {
    isDone = true;
  });
  const lister = async () => {
    while (!isDone) await listWorktrees(repository);
  };
  await Promise.all([adding, lister(), lister(), lister()]);
  expect((await listWorktrees(repository)).length).toBe(paths.length / 2 + 1);
});
