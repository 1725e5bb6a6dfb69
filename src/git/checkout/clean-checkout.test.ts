import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, expect } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { verifies } from "../../../test/verifies.ts";
import { AppError } from "../../lib/errors.ts";
import { sha256 } from "../../lib/hash.ts";
import { createRepository, type TempRepository } from "../../../test/support/repository.ts";
import { commitCheckout, nearestTag, tagCheckout, writeCheckout } from "./clean-checkout.ts";
import { git, text } from "../git.ts";
import { openRepository, type Repository } from "../repository.ts";
import { listFiles } from "../objects/tree.ts";

let repo: TempRepository;
let repository: Repository;
let folder = "";
let count = 0;

beforeAll(async () => {
  repo = await createRepository({ files: { "README.md": "one\n" } });
  repository = await openRepository(repo.dir, { path: process.env["PATH"] ?? "" });
  folder = newFolder();
});

async function checkout(commit = "HEAD", of = repository): Promise<string> {
  const root = join(folder, String(++count));
  await mkdir(root);
  await writeCheckout(of, root, await listFiles(of, commit));
  return root;
}

const oid = (text: string) => sha256(text).slice("sha256:".length);
const pointerOf = (text: string) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${oid(text)}\nsize ${text.length}\n`;

verifies(
  "PRV-08",
  "a clean checkout holds what attributes, LFS and submodules give the user's own, and a repository of one commit",
  async () => {
    await attributes();
    await largeFiles();
    await submodules();
    await ownRepository();
  },
);

/** Line endings, encodings and ident are those of the attributes, whatever the user's settings say. */
async function attributes(): Promise<void> {
  await repo.git("config", "core.autocrlf", "true");
  await repo.git("config", "core.eol", "crlf");
  await repo.write({
    ".gitattributes":
      "*.bat text eol=crlf\n*.utf16 text working-tree-encoding=UTF-16LE-BOM eol=lf\n*.id ident\n*.txt text\n",
  });
  const raw = { "a.bat": "one\ntwo\n", "b.txt": "one\n", "c.id": "$Id$\n", "d.js": "one\n" };
  for (const [path, text] of Object.entries(raw)) await writeFile(join(repo.dir, path), text);
  await writeFile(join(repo.dir, "e.utf16"), Buffer.from("\ufeffhé\n", "utf16le"));
  await repo.git("-c", "core.autocrlf=false", "add", "--all");
  await repo.git("commit", "--quiet", "-m", "attributes");
  const root = await checkout();
  const texts = await Promise.all(
    ["a.bat", "b.txt", "c.id", "d.js"].map((path) => readFile(join(root, path), "utf8")),
  );
  expect(texts.slice(0, 2)).toEqual(["one\r\ntwo\r\n", "one\n"]);
  expect(texts[2]).toMatch(/^\$Id: [0-9a-f]{40} \$\n$/);
  expect(texts[3]).toBe("one\n");
  expect(await readFile(join(root, "e.utf16"))).toEqual(Buffer.from("\ufeffhé\n", "utf16le"));
}

/** What LFS keeps in the user's store or checkout takes the place of its pointers, and what is nowhere stays one. */
async function largeFiles(): Promise<void> {
  await repo.write({
    ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n",
    "stored.bin": pointerOf("stored content"),
    "here.bin": pointerOf("content in the checkout"),
    "nowhere.bin": pointerOf("content that nobody has"),
    "plain.txt": pointerOf("stored content"),
  });
  await repo.commit();
  const store = join(
    repository.gitDir,
    "lfs/objects",
    oid("stored content").slice(0, 2),
    oid("stored content").slice(2, 4),
  );
  await mkdir(store, { recursive: true });
  await writeFile(join(store, oid("stored content")), "stored content");
  await writeFile(join(repo.dir, "here.bin"), "content in the checkout");
  const root = await checkout();
  const read = (path: string) => readFile(join(root, path), "utf8");
  expect(await Promise.all(["stored.bin", "here.bin", "nowhere.bin", "plain.txt"].map(read))).toEqual([
    "stored content",
    "content in the checkout",
    pointerOf("content that nobody has"),
    pointerOf("stored content"),
  ]);
  await writeFile(join(repo.dir, "nowhere.bin"), "content of a later version");
  const refused = await checkout().catch((error: unknown) => error);
  expect(refused instanceof AppError && [refused.code, refused.exitCode, refused.message]).toEqual([
    "test_setup_missing",
    5,
    `the LFS content of nowhere.bin (${oid("content that nobody has").slice(0, 12)}) is not in this repository's store`,
  ]);
  await rm(join(repo.dir, "nowhere.bin"));
}

/** Submodules, and those inside them, come from the user's stores without any network. */
async function submodules(): Promise<void> {
  const inner = await createRepository({ files: { "deep.js": "deep\n" } });
  const lib = await createRepository({ files: { "index.js": "lib\n" } });
  const local = ["-c", "protocol.file.allow=always"];
  await lib.git(...local, "submodule", "--quiet", "add", "--name", "the inner", inner.dir, "vendor/inner");
  await lib.git("commit", "--quiet", "-m", "inner");
  const user = await createRepository({ files: { "a.js": "a\n" } });

  await user.git(...local, "submodule", "--quiet", "add", "--name", "lib of ours", lib.dir, "vendor/lib");
  await user.git(...local, "submodule", "--quiet", "update", "--init", "--recursive");
  await user.git("commit", "--quiet", "-m", "submodules");
  await writeFile(join(user.dir, "vendor/lib/index.js"), "somebody is working on it\n");
  await inner.remove();
  await lib.remove();
  const opened = await openRepository(user.dir, { path: repository.path });
  const root = await checkout("HEAD", opened);
  const read = (path: string) => readFile(join(root, path), "utf8");
  expect(await Promise.all(["vendor/lib/index.js", "vendor/lib/vendor/inner/deep.js"].map(read))).toEqual([
    "lib\n",
    "deep\n",
  ]);
  await commitCheckout(opened, root);
  await user.git("update-index", "--cacheinfo", `160000,${"1".repeat(40)},vendor/lib`);
  await user.git("commit", "--quiet", "-m", "a commit that was never fetched");
  await expect(checkout("HEAD", opened)).rejects.toThrow(
    "the commit 111111111111 of the submodule vendor/lib",
  );
  await rm(join(user.dir, "vendor"), { recursive: true });
  expect(await readFile(join(await checkout("HEAD", opened), "a.js"), "utf8")).toBe("a\n"); // as empty as the user's own
}

/** Its `.git` knows one commit of exactly these files, and nothing of the user's repository. */
async function ownRepository(): Promise<void> {
  await repo.git("tag", "v1.2.3");
  await repo.write({ "later.js": "1\n" });
  await repo.commit();
  await repo.write({ ".gitattributes": null, 'odd "name"\n.js': "1\n" });
  await repo.commit();
  const root = join(folder, "whole");
  await mkdir(root);
  const { gitDir } = repository;
  const head = async (dir: string) =>
    text(await git({ path: repository.path, gitDir: dir, cwd: root }, ["rev-parse", "HEAD", "HEAD^{tree}"]));
  expect(await writeCheckout(repository, root, await listFiles(repository, "HEAD"))).toBe(true);
  const before = await head(join(root, ".git"));
  expect(before.split("\n")[1]).toBe((await head(gitDir)).split("\n")[1]);
  await commitCheckout(repository, root);
  expect(await head(join(root, ".git"))).toBe(before); // what nobody changed is the same commit
  await writeFile(join(root, "stub.js"), "");
  await mkdir(join(root, "node_modules"));
  expect(await nearestTag(repository, "HEAD")).toBe("v1.2.3");
  await commitCheckout(repository, root);
  await tagCheckout(repository, root, "v1.2.3");
  const place = { path: repository.path, gitDir: null, cwd: root };
  const ask = async (...args: readonly string[]) => (await git(place, args)).toString("utf8").trim();
  expect(await ask("status", "--porcelain")).toBe("");
  expect(await ask("rev-parse", "--show-toplevel")).toBe(root);
  expect(await ask("log", "--all", "--format=%s %an %ad", "--date=short")).toBe(
    "The commit under proof Mettle 2000-01-01",
  );
  expect(await ask("describe", "--tags")).toBe("v1.2.3");
  expect(await ask("branch", "--show-current")).toBe("main");
  expect((await ask("ls-files")).split("\n")).toContain("stub.js");
  expect(await readFile(join(root, ".git/config"), "utf8")).not.toContain(dirname(repo.dir));
}
