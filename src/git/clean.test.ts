import { existsSync, readdirSync } from "node:fs";
import { mkdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { verifies, verifiesInCi } from "../../test/verifies.ts";
import { createRepository, type TempRepository } from "../../test/support/repository.ts";
import { cleanUp, planCleanUp, type CleanOptions } from "./clean.ts";
import { commitTree } from "./objects/commit.ts";
import { listRefs, updateRef } from "./refs.ts";
import { brokenWorktrees } from "./worktree/repair.ts";
import { headCommit, openRepository, type Repository } from "./repository.ts";
import { treeOf } from "./objects/tree.ts";
import { addWorktree, listWorktrees } from "./worktree/worktree.ts";

let repo: TempRepository;
let repository: Repository;
let base: string;
let worktreesDir: string;
beforeEach(async () => {
  repo = await createRepository({ files: { a: "a" } });
  repository = await openRepository(repo.dir, { path: process.env["PATH"] ?? "" });
  base = await headCommit(repository);
  worktreesDir = newFolder();
});

const nowMs = 1_700_000_000_000;
const options = (endedRuns: string[]): CleanOptions => ({ worktreesDir, endedRuns, nowMs });
const clean = (chosen: CleanOptions) => cleanUp(repository, chosen);
const add = (name: string, commit = base) =>
  addWorktree(repository, { path: join(worktreesDir, name), commit });
const commitOn = async (parent: string, subject: string) =>
  commitTree(repository, {
    tree: await treeOf(repository, parent),
    parents: [parent],
    subject,
    trailers: {},
    dateMs: nowMs,
  });
const branch = (name: string, to: string) =>
  updateRef(repository, { ref: `refs/heads/${name}`, to, from: null });

verifiesInCi(
  "CORE-72",
  "of 37 worktrees, 5 dirty and 2 half-created, the 5 are kept and named, the rest goes and nothing is left to prune",
  async () => {
    const all = Array.from({ length: 35 }, (_, index) => `run${index % 5}/w${index}`);
    await Promise.all(all.map((name) => add(name)));
    const dirty = all
      .slice(10, 15)
      .map((name) => join(worktreesDir, name))
      .sort();
    for (const path of dirty) await writeFile(join(path, "a"), "unfinished");
    // Stopped in the middle: once before git began, once before the checkout was complete.
    await mkdir(join(worktreesDir, "run0/claimed"));
    const unfinished = await add("run1/unfinished");
    await writeFile(join(repo.dir, ".git/worktrees/unfinished/locked"), "initializing\n");
    await rm(join(unfinished, "a"));

    const done = await clean(options(["run0", "run1", "run2", "run3", "run4"]));
    expect(done.kept).toEqual(dirty);
    expect([done.removed.length, done.rescued]).toEqual([32, []]);
    expect((await listWorktrees(repository)).map(({ path }) => path).sort()).toEqual(
      [...dirty, repo.dir].sort(),
    );
    expect(await repo.git("worktree", "prune", "--dry-run", "--verbose")).toBe("");
    const left = readdirSync(worktreesDir).flatMap((run) =>
      readdirSync(join(worktreesDir, run)).map((name) => join(worktreesDir, run, name)),
    );
    expect(left.sort()).toEqual(dirty);
  },
);

verifiesInCi(
  "CORE-72",
  "a running run, the user's own worktrees and unmerged results stay, steps that lead to them go",
  async () => {
    const own = join(worktreesDir, "../", `${worktreesDir.split("/").at(-1)}-own`);
    await repo.git("worktree", "add", "-q", "--detach", own);
    await rm(own, { recursive: true }); // on a drive that is not mounted now, say
    await add("ended/w");
    const running = await add("running/w");
    const red = await commitOn(base, "red");
    const green = await commitOn(red, "green");
    await branch("mettle/ended/red", red);
    await branch("mettle/ended/result", green);
    await branch("mettle/ended/green", green);
    await branch("mettle/landed/result", base);
    await branch("mettle/running/red", base);
    await updateRef(repository, { ref: "refs/mettle/runs/ended/step", to: red, from: null });
    await updateRef(repository, { ref: "refs/mettle/runs/ended/last", to: green, from: null });
    await updateRef(repository, { ref: "refs/mettle/rescue/ended/x", to: green, from: null });

    const done = await clean(options(["ended", "landed", "rescue"]));
    expect([...done.removed].sort()).toEqual([
      join(worktreesDir, "ended/w"),
      "refs/heads/mettle/ended/green",
      "refs/heads/mettle/ended/red",
      "refs/heads/mettle/landed/result",
      "refs/mettle/runs/ended/last",
      "refs/mettle/runs/ended/step",
    ]);
    expect(done.kept).toEqual([running, "refs/heads/mettle/ended/result"]);
    expect((await listRefs(repository, "refs/")).map(({ ref }) => ref)).toEqual([
      "refs/heads/main",
      "refs/heads/mettle/ended/result",
      "refs/heads/mettle/running/red",
      "refs/mettle/rescue/ended/x",
    ]);
    expect((await listWorktrees(repository)).map(({ path }) => path).sort()).toEqual(
      [repo.dir, running, own].sort(),
    );
  },
);

verifiesInCi(
  "CORE-71",
  "a commit that only the removed worktree knew is rescued first, and so is dirty work when asked",
  async () => {
    const orphan = await commitOn(base, "only here");
    await add("ended/orphan", orphan);
    const dirty = await add("ended/dirty");
    await writeFile(join(dirty, "new"), "n");
    const done = await clean({ ...options(["ended"]), dirty: "rescue" });
    expect(done.rescued.map(({ ref }) => ref)).toEqual([
      "refs/mettle/rescue/ended/clean-dirty",
      "refs/mettle/rescue/ended/clean-orphan",
    ]);
    expect(await repo.git("show", "refs/mettle/rescue/ended/clean-dirty:new")).toBe("n");
    expect(await repo.git("rev-parse", "refs/mettle/rescue/ended/clean-orphan^")).toBe(orphan);
    expect([existsSync(join(worktreesDir, "ended")), (await listWorktrees(repository)).length]).toEqual([
      false,
      1,
    ]);
  },
);

verifiesInCi(
  "CORE-72",
  "a dry run lists what would go and what would stay, and changes nothing",
  async () => {
    const [clean, dirty] = [await add("ended/clean"), await add("ended/dirty")];
    await writeFile(join(dirty, "new"), "work");
    await branch("mettle/ended/step", base);
    const common = { run: "ended", commit: base, state: "whole" };
    expect(await planCleanUp(repository, options(["ended"]))).toEqual({
      worktrees: [
        { ...common, path: clean, type: "remove" },
        { ...common, path: dirty, type: "keep", why: "dirty", changed: ["new"] },
      ],
      refs: [{ type: "remove", run: "ended", ref: "refs/heads/mettle/ended/step", commit: base }],
      locks: [],
    });
    expect([
      (await listWorktrees(repository)).length,
      (await listRefs(repository, "refs/heads/mettle/")).length,
    ]).toEqual([3, 1]);
  },
);

test("files without a record, and a branch that someone has checked out, are kept and named", async () => {
  await mkdir(join(worktreesDir, "ended/stray"), { recursive: true });
  await writeFile(join(worktreesDir, "ended/stray/file"), "whose?");
  await branch("mettle/ended/result", base);
  await repo.git("checkout", "-q", "mettle/ended/result");
  const plan = await planCleanUp(repository, options(["ended"]));
  expect(plan.worktrees.map(({ path, type, state }) => [path, type, state])).toEqual([
    [join(worktreesDir, "ended/stray"), "keep", "stray"],
  ]);
  expect(plan.refs).toEqual([
    { ref: "refs/heads/mettle/ended/result", commit: base, run: "ended", type: "keep", why: "checked_out" },
  ]);
});

verifies(
  "CORE-72",
  "old locks of Mettle's own are taken away, fresh ones and the user's are not",
  async () => {
    await add("ended/w");
    const git = join(repo.dir, ".git");
    await mkdir(join(git, "refs/heads/mettle/ended"), { recursive: true });
    const stale = [join(git, "refs/heads/mettle/ended/result.lock"), join(git, "worktrees/w/index.lock")];
    const others = [
      join(git, "index.lock"),
      join(git, "refs/heads/main.lock"),
      join(git, "refs/heads/mettle/fresh.lock"),
    ];
    for (const path of [...stale, ...others]) {
      await writeFile(path, "");
      const at = path.endsWith("fresh.lock") ? nowMs / 1000 - 60 : nowMs / 1000 - 3_600;
      await utimes(path, at, at);
    }
    expect((await planCleanUp(repository, options(["ended"]))).locks).toEqual(stale);
    await clean(options(["ended"]));
    expect([...stale, ...others].map((path) => existsSync(path))).toEqual([false, false, true, true, true]);
  },
);

test("what a crash left half-created is found below its folder, and nothing else", async () => {
  const whole = await add("run/whole");
  await writeFile(join(whole, "a"), "dirty");
  await rm(await add("run/gone"), { recursive: true });
  await mkdir(join(worktreesDir, "run/claimed"));
  await rm(await add("other/gone-too"), { recursive: true });
  expect(await brokenWorktrees(repository, join(worktreesDir, "run"))).toEqual([
    { path: join(worktreesDir, "run/gone"), problem: "folder_gone" },
    { path: join(worktreesDir, "run/claimed"), problem: "unregistered" },
  ]);
});
