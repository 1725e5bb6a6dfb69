import { execFileSync } from "node:child_process";
import { mkdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createRepository, type TempRepository } from "../../../test/support/repository.ts";
import { headCommit, openRepository, uncommittedPaths, type Repository } from "../repository.ts";
import { snapshot } from "../objects/snapshot.ts";

let repo: TempRepository;
let repository: Repository;
beforeEach(async () => {
  repo = await createRepository({ files: { "src/a.js": "a\n", "src/b.js": "b\n" } });
  repository = await openRepository(repo.dir, { path: process.env["PATH"] ?? "" });
});

const pipe = (name: string) => execFileSync("mkfifo", [join(repo.dir, name)]);

test.each([".gitattributes", "src/.gitignore", ".git/info/exclude"])(
  "a pipe in the place of the checkout's %s is named in seconds, and waited for by nobody (fault S7)",
  { tags: "ci", timeout: 30_000 },
  async (name) => {
    await mkdir(join(repo.dir, ".git/info"), { recursive: true });
    await rm(join(repo.dir, name), { force: true });
    pipe(name);
    await writeFile(join(repo.dir, "src/new.js"), "new\n");
    // Of the same size: git reads it, and so its attributes. Of a file whose time has not changed it reads neither.
    await writeFile(join(repo.dir, "src/a.js"), "b\n");
    await expect(uncommittedPaths(repository)).rejects.toMatchObject({
      code: "git_failed",
      message: expect.stringContaining(`${join(repo.dir, name)}, which is a pipe`) as string,
    });
  },
);

test("pipes, sockets, circles of links, odd names and deep folders of the user's checkout stop nothing (fault S7)", async () => {
  pipe("src/pipe.js");
  const server = createServer().listen(join(repo.dir, "src/socket"));
  await symlink("circle", join(repo.dir, "circle"));
  await writeFile(join(repo.dir, "line\nbreak.js"), "x\n");
  const deep = Array.from({ length: 300 }, () => "d").join("/");
  await mkdir(join(repo.dir, deep), { recursive: true });
  await writeFile(join(repo.dir, deep, "last.js"), "x\n");
  await writeFile(join(repo.dir, "big.bin"), "");
  await truncate(join(repo.dir, "big.bin"), 500 * 1024 ** 3);
  try {
    const base = await headCommit(repository);
    const taken = await snapshot(repository, { workspace: repository.root, base });
    expect(taken.leftOut.map(({ path, reason }) => [path, reason])).toEqual([["big.bin", "too_large"]]);
    expect(taken.changed.map(({ path }) => path)).toEqual(["circle", `${deep}/last.js`, "line\nbreak.js"]);
    await rm(join(repo.dir, "src/a.js"));
    pipe("src/a.js");
    await expect(snapshot(repository, { workspace: repository.root, base })).rejects.toMatchObject({
      message: "these files cannot be read: src/a.js",
    });
  } finally {
    server.close();
  }
});

test("a file of the user's checkout that its attributes forbid to convert is refused by its name (fault S7)", async () => {
  await writeFile(join(repo.dir, ".gitattributes"), "*.txt working-tree-encoding=UTF-16\n");
  await writeFile(join(repo.dir, "bad.txt"), "no byte order mark");
  const base = await headCommit(repository);
  await expect(snapshot(repository, { workspace: repository.root, base })).rejects.toMatchObject({
    message: expect.stringContaining("bad.txt") as string,
  });
});
