/** `envoy git commit`: commits the files of a prompt's worktree to its branch. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { beforeAll, expect, test } from "vitest";
import { createPromptWorld, start, type Json, type PlanWorld } from "./plan-world.ts";
import { inCi } from "../verifies.ts";

let world: PlanWorld;
let tree = "";
beforeAll(async () => void ({ world, tree } = await createPromptWorld()));

/** Sets an identity, since the machine may have none. */
const git = (...args: string[]) =>
  spawnSync("git", ["-c", "user.name=agent", "-c", "user.email=agent@localhost", ...args], {
    cwd: tree,
    encoding: "utf8",
  }).stdout.trim();
const commit = (message: string, cwd?: string) => world.ok(["git", "commit", "1", "--message", message], cwd);

inCi("commits changed, new and removed files of this worktree only, without ignored ones", async () => {
  await writeFile(join(world.repository.dir, "mine.txt"), "a person's\n");
  await writeFile(join(tree, ".gitignore"), "out/\n");
  await writeFile(join(tree, "new Ω.ts"), "1\n");
  await writeFile(join(tree, "README.md"), "changed\n");
  await rm(join(tree, "src"), { recursive: true });
  await writeFile(join(tree, ".git-hook-trap"), "");
  const before = git("rev-parse", "HEAD");
  const done = await commit("Add it\n\nWith `ticks` and\nlines");
  const head = git("rev-parse", "HEAD");
  expect(done).toEqual({
    commit: head,
    files: [".git-hook-trap", ".gitignore", "README.md", "new Ω.ts", "src/deep/a.ts"],
  });
  expect(git("log", "-1", "--format=%P|%B")).toBe(`${before}|Add it\n\nWith \`ticks\` and\nlines`);
  expect(git("symbolic-ref", "HEAD")).toBe("refs/heads/feature/x--implementation-1");
  expect(git("status", "--porcelain")).toBe("");
  expect(await world.repository.git("status", "--porcelain")).toBe("?? mine.txt");
  // A second call, from another folder, has nothing to commit.
  expect(await commit("Again", tree)).toEqual({ commit: head, files: [] });
});

inCi("completes a merge, but not with unresolved conflicts", async () => {
  await world.repository.write({ "README.md": "of the feature\n" });
  await world.repository.git("add", "README.md");
  await world.repository.git("commit", "--quiet", "-m", "Other");
  git("merge", "feature/x");
  const before = git("rev-parse", "HEAD");
  const line = ["git", "commit", "1", "--message", "Merge feature/x"];
  expect(await world.refused(line)).toMatchObject({
    code: 2,
    type: "precondition_failed",
    detail: { paths: ["README.md"] },
  });
  expect([git("rev-parse", "HEAD"), git("diff", "--name-only", "--diff-filter=U")]).toEqual([
    before,
    "README.md",
  ]);
  await writeFile(join(tree, "README.md"), "both\n");
  expect((await world.ok(line)) as Json).toMatchObject({ files: ["README.md"] });
  expect(git("log", "-1", "--format=%P").split(" ")).toHaveLength(2);
  expect(await readFile(join(tree, "README.md"), "utf8")).toBe("both\n");
});

test("refuses a prompt that was not started or has no worktree, and an empty message", async () => {
  const refused = (id: string, message: string) => world.refused(["git", "commit", id, "--message", message]);
  expect(await refused("2", "x")).toMatchObject({ code: 2, type: "not_started" });
  expect(await refused("1", " \n")).toMatchObject({ code: 2, type: "usage" });
  await world.ok(start("2"));
  expect(await refused("2", "x")).toMatchObject({ code: 5, type: "worktree_failed" });
  expect(await refused("7", "x")).toMatchObject({ code: 2, type: "not_found" });
});

test("stores a secret filtered by the user's filter or not at all, and no file that only the user ignores (faults S1, S2)", async () => {
  const own = world.repository;
  await own.git("config", "filter.turn.clean", "tr A-Za-z N-ZA-Mn-za-m");
  await writeFile(join(tree, ".gitattributes"), "*.key filter=turn\n");
  await commit("Turn keys around");
  await mkdir(join(own.dir, ".git/info"), { recursive: true });
  await writeFile(join(own.dir, ".git/info/exclude"), "notes.txt\n");
  await writeFile(join(tree, "notes.txt"), "hunter2");
  await writeFile(join(tree, "a.key"), "plain-text");
  expect((await commit("Add a key")) as Json).toMatchObject({ files: ["a.key"] });
  expect(git("cat-file", "-p", "HEAD:a.key")).toBe("cynva-grkg");
  expect(git("ls-tree", "-r", "--name-only", "HEAD")).not.toContain("notes.txt");
  await own.git("config", "filter.turn.clean", "false");
  await writeFile(join(tree, "b.key"), "plain-text");
  const line = ["git", "commit", "1", "--message", "Add another"];
  expect(await world.refused(line)).toMatchObject({
    code: 2,
    type: "filtered_path",
    detail: { paths: expect.arrayContaining(["b.key"]) as string[] },
  });
  const objects = spawnSync("git", ["cat-file", "--batch-all-objects", "--batch"], { cwd: tree }).stdout;
  expect(objects.toString("latin1")).not.toContain("plain-text");
});
