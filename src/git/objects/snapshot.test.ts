import { execFileSync } from "node:child_process";
import { chmod, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { inCi, verifies } from "../../../test/verifies.ts";
import { createRepository, type TempRepository } from "../../../test/support/repository.ts";
import { commitTree } from "./commit.ts";
import { openRepository, type Repository } from "../repository.ts";
import { snapshot } from "./snapshot.ts";
import { listFiles, readFile, treeOf } from "./tree.ts";
import { addWorktree } from "../worktree/worktree.ts";

const path = process.env["PATH"] ?? "";
let repo: TempRepository;
let repository: Repository;
let base: string;
let workspace: string;
let folder: string;

beforeEach(async () => {
  repo = await createRepository({
    files: {
      "src/a.ts": "a",
      "src/b.ts": "b",
      "run.sh": "#!/bin/sh\n",
      ".gitignore": "*.log\n/build/\n!keep.log\n",
      "src/.gitignore": "local\n",
    },
  });
  await writeFile(join(repo.dir, "tracked.log"), "tracked although ignored");
  await repo.git("add", "-f", "tracked.log");
  base = await repo.commit();
  repository = await openRepository(repo.dir, { path });
  folder = newFolder();
  workspace = await addWorktree(repository, { path: join(folder, "w"), commit: base });
});

const write = async (files: Record<string, string>) => {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(workspace, name, ".."), { recursive: true });
    await writeFile(join(workspace, name), content);
  }
};
const changes = async () =>
  (await snapshot(repository, { workspace, base })).changed.map(
    ({ path: name, status }) => `${status} ${name}`,
  );
const inWorkspace = (...args: string[]) => execFileSync("git", args, { cwd: workspace, stdio: "pipe" });

test("an untouched workspace is the tree of its base", async () => {
  expect(await snapshot(repository, { workspace, base })).toEqual({
    tree: await treeOf(repository, base),
    changed: [],
    leftOut: [],
    ignored: [],
  });
});

test("edits, new files, deletions, modes and links are all seen", async () => {
  await write({ "src/a.ts": "edited", "new/file ü\n": "n", "tracked.log": "edited" });
  await rm(join(workspace, "src/b.ts"));
  await chmod(join(workspace, "run.sh"), 0o755);
  await symlink("src/a.ts", join(workspace, "link"));
  const { tree, changed } = await snapshot(repository, { workspace, base });
  expect(changed).toEqual([
    { path: "link", status: "added" },
    { path: "new/file ü\n", status: "added" },
    { path: "run.sh", status: "modified" },
    { path: "src/a.ts", status: "modified" },
    { path: "src/b.ts", status: "deleted" },
    { path: "tracked.log", status: "modified" },
  ]);
  expect((await readFile(repository, { commit: tree, path: "src/a.ts" }))?.toString()).toBe("edited");
  expect((await listFiles(repository, tree)).find(({ path: name }) => name === "run.sh")?.mode).toBe(
    "100755",
  );
});

test("a file that became a folder, a folder that became a file or a link are stored as they are now", async () => {
  await rm(join(workspace, "src"), { recursive: true });
  await symlink("/", join(workspace, "src"));
  await rm(join(workspace, "run.sh"));
  await write({ "run.sh/inside": "x" });
  expect(await changes()).toEqual([
    "deleted run.sh",
    "added run.sh/inside",
    "added src",
    "deleted src/.gitignore",
    "deleted src/a.ts",
    "deleted src/b.ts",
  ]);
});

inCi(
  "the ignore files of the base and of the user decide, those of the workspace do not, and some folders are never work",
  async () => {
    await write({
      "x.log": "ignored",
      "deep/keep.log": "kept",
      "build/out": "ignored",
      "src/build/out": "kept",
      "src/local": "ignored",
      local: "ignored: by the user",
      ".gitignore": "hidden\n",
      hidden: "kept: the agent's own rule hides nothing",
      "node_modules/m/index.js": "never",
      "deep/node_modules/m/index.js": "never",
      "src/__pycache__/a.pyc": "never",
      ".claude/temp/spec.md": "never",
      ".claude/other": "kept",
      "sub/.git/config": "never",
      "sub/file": "kept",
      "x/.GIT/config": "never",
    });
    await mkdir(join(repo.dir, ".git/info"), { recursive: true });
    await writeFile(join(repo.dir, ".git/info/exclude"), "/local\n");
    execFileSync("mkfifo", [join(workspace, "pipe")]);
    expect(await changes()).toEqual([
      "added .claude/other",
      "modified .gitignore",
      "added deep/keep.log",
      "added hidden",
      "added src/build/out",
      "added sub/file",
    ]);
  },
);

test("a tracked file in a folder that is otherwise never work stays work", async () => {
  await repo.write({ "node_modules/own/index.js": "1" });
  base = await repo.commit();
  await write({ "node_modules/own/index.js": "2", "node_modules/own/more.js": "never" });
  await write({ "node_modules/other/index.js": "never" });
  expect((await changes()).filter((line) => line.includes("node_modules"))).toEqual([
    "modified node_modules/own/index.js",
  ]);
});

inCi(
  "index flags, filters that nothing uses, a moved git file and a nested repository hide nothing",
  async () => {
    inWorkspace("update-index", "--assume-unchanged", "src/a.ts");
    inWorkspace("update-index", "--skip-worktree", "src/b.ts");
    inWorkspace("config", "filter.hide.clean", "cat /dev/null");
    inWorkspace("config", "filter.hide.required", "true");
    inWorkspace("config", "core.fileMode", "false");
    await write({ "src/a.ts": "A", "src/b.ts": "B" });
    await rename(join(workspace, ".git"), join(workspace, "src/moved-git"));
    inWorkspace("init", "-q");
    inWorkspace(
      "-c",
      "user.name=x",
      "-c",
      "user.email=x@localhost",
      "commit",
      "-q",
      "--allow-empty",
      "-m",
      "own repository",
    );
    const { tree, changed } = await snapshot(repository, { workspace, base });
    expect(changed.map(({ path: name }) => name)).toEqual(["src/a.ts", "src/b.ts", "src/moved-git"]);
    expect((await readFile(repository, { commit: tree, path: "src/b.ts" }))?.toString()).toBe("B");
  },
);

test("line endings stay as they are on disk", async () => {
  await repo.git("config", "core.autocrlf", "true");
  await repo.git("config", "core.safecrlf", "true");
  await write({ "crlf.txt": "one\r\ntwo\n" });
  const { tree } = await snapshot(repository, { workspace, base });
  expect((await readFile(repository, { commit: tree, path: "crlf.txt" }))?.toString()).toBe("one\r\ntwo\n");
});

test("a submodule is carried over, and names that are not UTF-8 are kept", async () => {
  await repo.git("update-index", "--add", "--cacheinfo", `160000,${base},vendor/lib`);
  await repo.git("commit", "-q", "-m", "Add a submodule");
  base = await repo.git("rev-parse", "HEAD");
  await write({ "vendor/lib/file": "not ours" });
  await writeFile(Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from([0x66, 0xff])]), "bytes");
  const { tree, changed } = await snapshot(repository, { workspace, base });
  expect(changed).toEqual([{ path: "f\ufffd", status: "added" }]);
  expect((await listFiles(repository, tree)).map(({ path: name, mode }) => [name, mode])).toContainEqual([
    "vendor/lib",
    "160000",
  ]);
});

test("a workspace that is not there is refused, and never taken for one that lost all its files", async () => {
  await rm(workspace, { recursive: true });
  await expect(snapshot(repository, { workspace, base })).rejects.toMatchObject({ code: "worktree_failed" });
});

inCi("many at once disturb neither each other nor the workspace's index", async () => {
  await write({ "src/a.ts": "edited" });
  const index = inWorkspace("hash-object", join(repo.dir, ".git/worktrees/w/index")).toString();
  const all = await Promise.all(Array.from({ length: 8 }, () => snapshot(repository, { workspace, base })));
  expect(new Set(all.map(({ tree }) => tree)).size).toBe(1);
  expect(all[0]?.changed).toEqual([{ path: "src/a.ts", status: "modified" }]);
  expect(inWorkspace("hash-object", join(repo.dir, ".git/worktrees/w/index")).toString()).toBe(index);
});

verifies(
  "CORE-69",
  "what an agent left uncommitted becomes a commit with exactly that tree, under Mettle's identity, with hooks off",
  async () => {
    await mkdir(join(repo.dir, ".git/hooks"), { recursive: true });
    for (const hook of [
      "pre-commit",
      "commit-msg",
      "prepare-commit-msg",
      "post-commit",
      "reference-transaction",
      "post-checkout",
    ]) {
      await writeFile(join(repo.dir, ".git/hooks", hook), "#!/bin/sh\necho ran >> hook-ran\nexit 1\n", {
        mode: 0o755,
      });
    }
    await repo.git("config", "commit.gpgsign", "true");
    await repo.git("config", "core.fsmonitor", "/bin/false");
    await repo.git("config", "commit.template", "/nonexistent");
    await write({ "src/left.ts": "left uncommitted" });
    const { tree } = await snapshot(repository, { workspace, base });
    const options = {
      tree,
      parents: [base],
      subject: "Write the failing\ntests",
      body: "Why: because.\n",
      trailers: {
        "Mettle-Run": "k7m2xq",
        "Mettle-Phase": "RED",
        "Mettle-Key": "red#1",
        "Mettle-Record": "sha256:1\nForged: yes",
      },
      dateMs: 1_700_000_000_999,
    };
    const commit = await commitTree(repository, options);
    expect(await treeOf(repository, commit)).toBe(tree);
    expect(await repo.git("cat-file", "commit", commit)).toBe(
      [
        `tree ${tree}`,
        `parent ${base}`,
        "author Mettle <mettle@localhost> 1700000000 +0000",
        "committer Mettle <mettle@localhost> 1700000000 +0000",
        "",
        "Write the failing tests",
        "",
        "Why: because.",
        "",
        "Mettle-Run: k7m2xq",
        "Mettle-Phase: RED",
        "Mettle-Key: red#1",
        "Mettle-Record: sha256:1 Forged: yes",
      ].join("\n"),
    );
    expect(await repo.git("log", "-1", "--format=%(trailers:key=Mettle-Key,valueonly)", commit)).toBe(
      "red#1\n",
    );
    expect(await commitTree(repository, options)).toBe(commit);
    expect(await commitTree(repository, { ...options, dateMs: options.dateMs + 1_000 })).not.toBe(commit);
    expect(await repo.git("status", "--porcelain")).toBe("");
  },
);
