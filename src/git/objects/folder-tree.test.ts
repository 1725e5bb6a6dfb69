import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { createRepository } from "../../../test/support/repository.ts";
import { openRepository } from "../repository.ts";
import { storeFolder, writeFolder } from "./folder-tree.ts";

const takes = (path: string) => !path.endsWith(".lock");

test("a folder is stored byte for byte, and written over another one, without links and what it does not take", async () => {
  const temp = await createRepository({ files: { ".gitattributes": "* text eol=crlf\n" } });
  const repository = await openRepository(temp.dir, { path: process.env["PATH"] ?? "" });
  const from = newFolder();
  mkdirSync(join(from, "deep", "er"), { recursive: true });
  const bytes = Buffer.from([0, 255, 13, 10, 10]);
  writeFileSync(join(from, "deep", "er", "ä b.bin"), bytes);
  writeFileSync(join(from, ".hidden"), "h\n");
  writeFileSync(join(from, "plan.md"), "p\r\n");
  writeFileSync(join(from, "x.lock"), "");
  symlinkSync("/etc/passwd", join(from, "link"));
  const tree = await storeFolder(repository, { folder: from, takes });
  expect(await storeFolder(repository, { folder: from, takes })).toBe(tree);

  const to = newFolder();
  for (const name of ["old.md", "y.lock"]) writeFileSync(join(to, name), "old");
  await writeFolder(repository, { folder: to, takes, tree, last: "plan.md" });
  const files = readdirSync(to, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
  expect(files.toSorted()).toEqual([".hidden", "plan.md", "y.lock", "ä b.bin"]);
  expect(readFileSync(join(to, "deep", "er", "ä b.bin"))).toEqual(bytes);
  expect(readFileSync(join(to, "plan.md"), "utf8")).toBe("p\r\n");
  expect(await storeFolder(repository, { folder: to, takes })).toBe(tree);
});

test("a tree whose names lead out of the folder writes nothing there", async () => {
  const temp = await createRepository({ files: { "a.txt": "a\n" } });
  const repository = await openRepository(temp.dir, { path: process.env["PATH"] ?? "" });
  const inner = (await temp.git("rev-parse", "HEAD^{tree}")).trim();
  const raw = join(newFolder(), "tree");
  writeFileSync(raw, Buffer.concat([Buffer.from("40000 ..\0"), Buffer.from(inner, "hex")]));
  const tree = (await temp.git("hash-object", "-t", "tree", "-w", "--literally", raw)).trim();
  expect(await temp.git("ls-tree", "-r", "--name-only", tree)).toBe("../a.txt");
  const around = newFolder();
  await writeFolder(repository, { folder: join(around, "plan"), takes, tree, last: "plan.md" });
  expect(readdirSync(around, { recursive: true })).toEqual(["plan"]);
});

test("a missing folder is an empty tree", async () => {
  const temp = await createRepository({ files: { "a.txt": "a\n" } });
  const repository = await openRepository(temp.dir, { path: process.env["PATH"] ?? "" });
  const tree = await storeFolder(repository, { folder: join(temp.dir, "no"), takes });
  expect(await temp.git("ls-tree", tree)).toBe("");
});
