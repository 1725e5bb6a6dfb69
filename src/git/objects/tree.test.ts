import { readFile as readText, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { sha256 } from "../../lib/hash.ts";
import { createRepository } from "../../../test/support/repository.ts";
import { hashFiles } from "./contents.ts";
import { outsideLinks } from "../links.ts";
import { git } from "../git.ts";
import { inStore, openRepository, type Repository } from "../repository.ts";
import { changedPaths, composeTree, listFiles, listing, readFile, treeOf, treeWith } from "./tree.ts";
import { inCi } from "../../../test/verifies.ts";

const path = process.env["PATH"] ?? "";

async function opened(files: Record<string, string | Buffer>) {
  const repo = await createRepository({ files });
  return {
    repo,
    repository: await openRepository(repo.dir, { path }),
    first: await repo.git("rev-parse", "HEAD"),
  };
}

test("changed paths are added, modified and deleted, a rename is two of them", async () => {
  const { repo, repository, first } = await opened({
    keep: "k",
    edit: "1",
    "old name": "same",
    gone: "g",
    exec: "e",
  });
  await repo.write({ edit: "2", "old name": null, "deep/new\nname": "same", gone: null });
  await repo.git("update-index", "--chmod=+x", "exec");
  await repo.git("config", "core.fileMode", "false");
  const second = await repo.commit();
  const asked = await changedPaths(repository, { from: first, to: second });
  expect(asked).toEqual([
    { path: "deep/new\nname", status: "added" },
    { path: "edit", status: "modified" },
    { path: "exec", status: "modified" },
    { path: "gone", status: "deleted" },
    { path: "old name", status: "deleted" },
  ]);
  expect(await changedPaths(repository, { from: second, to: await treeOf(repository, second) })).toEqual([]);
  // Where both were listed nobody is asked.
  for (const commit of [first, second]) await listFiles(repository, commit);
  const noGit = { ...repository, path: "/nowhere" };
  expect(await changedPaths(noGit, { from: first, to: second })).toEqual(asked);
});

test("files are listed, read and hashed as stored, whatever their names", async () => {
  const binary = Buffer.from([0, 255, 10, 13, 0]);
  const { repo, repository } = await opened({
    "a b/ü\n.txt": "text\r\n",
    "a b/binary": binary,
    "*": "star",
    empty: "",
  });
  await symlink("a b/binary", join(repo.dir, "link"));
  const commit = await repo.commit();
  const listed = (await listFiles(repository, commit)).map(({ path: name, mode }) => [name, mode]);
  expect(listed).toEqual([
    ["*", "100644"],
    ["a b/binary", "100644"],
    ["a b/ü\n.txt", "100644"],
    ["empty", "100644"],
    ["link", "120000"],
  ]);
  const read = async (name: string) =>
    (await readFile(repository, { commit, path: name }))?.toString("latin1") ?? null;
  expect(
    await Promise.all(
      ["*", "a b/binary", "a b/ü\n.txt", "empty", "link", "a b", "a b/", "none", "?"].map(read),
    ),
  ).toEqual(["star", binary.toString("latin1"), "text\r\n", "", "a b/binary", null, null, null, null]);
  expect(
    await hashFiles(repository, { commit, paths: ["a b/binary", "empty", "link", "a b", "none"] }),
  ).toEqual({
    "a b/binary": sha256(binary),
    empty: sha256(""),
    link: sha256("a b/binary"),
  });
});

test("a listing is what git prints, with submodules, links, modes and names of any bytes", async () => {
  const { repo, repository, first } = await opened({
    "a.b": "1",
    "a/x/y": "2",
    "a/x.z": "3",
    "a-b": "4",
    run: "5",
  });
  await symlink("a.b", join(repo.dir, "a/link"));
  await writeFile(Buffer.concat([Buffer.from(`${repo.dir}/a/`), Buffer.from([0xff, 0x20, 0x0a])]), "6");
  await repo.git("add", "--all");
  await repo.git("update-index", "--add", "--cacheinfo", `160000,${first},vendor/lib`);
  await repo.git("update-index", "--chmod=+x", "run");
  await repo.git("commit", "--quiet", "--message", "all kinds");
  const commit = await repo.git("rev-parse", "HEAD");
  const args = ["ls-tree", "-r", "-z", "--full-tree", commit];
  expect(await listing(repository, commit)).toEqual(await git(inStore(repository), args));
});

test("a replace ref changes nothing of what is read", async () => {
  const { repo, repository, first } = await opened({ a: "honest" });
  const fake = await repo.git("hash-object", "-w", join(repo.dir, ".git/HEAD"));
  await repo.git("replace", await repo.git("rev-parse", "HEAD:a"), fake);
  expect((await readFile(repository, { commit: first, path: "a" }))?.toString()).toBe("honest");
  expect(await hashFiles(repository, { commit: first, paths: ["a"] })).toEqual({ a: sha256("honest") });
});

inCi("a composed tree takes chosen paths from the overlay, or their absence", async () => {
  const { repo, repository, first } = await opened({
    "src/a.ts": "base",
    "src/b.ts": "base",
    "test/a.test.ts": "base",
    "test/old.test.ts": "base",
    shape: "a file",
  });
  await repo.write({
    "src/a.ts": "overlay",
    "src/b.ts": null,
    "test/a.test.ts": "overlay",
    "test/old.test.ts": null,
    "test/new ü.test.ts": "overlay",
    shape: null,
  });
  await repo.write({ "shape/inside": "overlay" });
  const overlay = await repo.commit();
  const tree = await composeTree(repository, {
    base: first,
    overlay,
    take: (name) => name.startsWith("test/"),
  });
  const contents = await Promise.all(
    (await listFiles(repository, tree)).map(async ({ path: name }) => [
      name,
      (await readFile(repository, { commit: tree, path: name }))?.toString(),
    ]),
  );
  expect(contents).toEqual([
    ["shape", "a file"],
    ["src/a.ts", "base"],
    ["src/b.ts", "base"],
    ["test/a.test.ts", "overlay"],
    ["test/new ü.test.ts", "overlay"],
  ]);
  expect(await composeTree(repository, { base: first, overlay, take: () => true })).toBe(
    await treeOf(repository, overlay),
  );
  expect(await composeTree(repository, { base: first, overlay, take: () => false })).toBe(
    await treeOf(repository, first),
  );
  // Where a kept file and a taken folder collide, the overlay stands.
  const shaped = await composeTree(repository, {
    base: first,
    overlay,
    take: (name) => name === "shape/inside",
  });
  expect((await listFiles(repository, shaped)).map(({ path: name }) => name)).toContain("shape/inside");
});

test("symlinks whose end is not in the tree are found, also through other links (fault P6)", async () => {
  const { repo, repository } = await opened({
    "dir/file": "f",
    "deep/er/file": "f",
    ".gitignore": "*.log\n",
  });
  await repo.write({
    "node_modules/package/index.js": "x",
    ".gitignore": "node_modules\nbuilt\n",
    built: "b",
  });
  const links: Record<string, string> = {
    absolute: "/etc/passwd",
    up: "../elsewhere",
    "dir/back": "../deep/er/file",
    "dir/out": "../../elsewhere",
    short: "deep/er",
    "through-short": "short/../../..", // deep/er/../../.. leaves, although the text alone would not say so for short/../x
    "inside-short": "short/../../dir",
    chain: "up/more",
    loop: "loop",
    "into-git": ".git/config",
    missing: "dir/not-there",
    package: "node_modules/package/index.js",
    "dir/packages": "../node_modules",
    "through-packages": "dir/packages/package/index.js",
    made: "built",
    whole: ".",
    "to-link": "short",
    "dir/trailing": "../deep/er/",
  };
  for (const [name, target] of Object.entries(links)) await symlink(target, join(repo.dir, name));
  const commit = await repo.commit();
  expect(await outsideLinks(repository, commit)).toEqual([
    "absolute",
    "chain",
    "dir/out",
    "dir/packages",
    "into-git",
    "made",
    "missing",
    "package",
    "through-packages",
    "through-short",
    "up",
  ]);
});

test("what an id names is asked of git once, and what a name stands for each time", async () => {
  const { repo, repository, first } = await opened({ a: "1", b: "2" });
  await repo.write({ a: "3" });
  const second = await repo.commit();
  const { counted, calls } = await countingGit(repository);
  for (let round = 0; round < 3; round += 1) {
    expect(await changedPaths(counted, { from: first, to: second })).toEqual([
      { path: "a", status: "modified" },
    ]);
    expect(await treeOf(counted, second)).toBe(await repo.git("rev-parse", `${second}^{tree}`));
    expect((await listFiles(counted, second)).map((file) => file.path)).toEqual(["a", "b"]);
    expect(await hashFiles(counted, { commit: second, paths: ["a"] })).toEqual({ a: sha256("3") });
  }
  expect(await calls()).toEqual(["cat-file", "diff-tree"]);
  await repo.git("tag", "here", first);
  expect(await treeOf(counted, "here")).toBe(await treeOf(counted, first));
  await repo.git("tag", "--force", "here", second);
  expect(await treeOf(counted, "here")).toBe(await treeOf(counted, second));
});

/** The repository with a git that writes down what it is asked. */
async function countingGit(repository: Repository) {
  const bin = newFolder();
  onTestFinished(() => rm(bin, { recursive: true, force: true }));
  const log = join(bin, "log");
  await writeFile(join(bin, "git"), `#!/bin/sh\necho "$*" >> ${log}\nPATH=${path} exec git "$@"\n`, {
    mode: 0o755,
  });
  const calls = async () =>
    (await readText(log, "utf8"))
      .trimEnd()
      .split("\n")
      .map((line) => /(cat-file|diff-tree|ls-tree|rev-parse)/.exec(line)?.[0])
      .toSorted();
  return { counted: { ...repository, path: `${bin}:${path}` }, calls };
}

test("a tree with files added or given another text keeps all else, and their modes", async () => {
  const { repository, first } = await opened({ "src/ü.js": "old\n", keep: "k" });
  const texts = new Map([
    ["src/ü.js", "new\r\n"],
    ["src/deep/add.js", "added\n"],
  ]);
  const tree = await treeWith(repository, first, texts);
  expect(await changedPaths(repository, { from: first, to: tree })).toEqual([
    { path: "src/deep/add.js", status: "added" },
    { path: "src/ü.js", status: "modified" },
  ]);
  expect((await readFile(repository, { commit: tree, path: "src/ü.js" }))?.toString()).toBe("new\r\n");
  expect(await treeWith(repository, first, new Map())).toBe(await treeOf(repository, first));
});
