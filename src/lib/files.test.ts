import { chmod, lstat, readFile, readdir, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { exists, isExecutable, writeAtomically } from "./files.ts";

let folder: string;
const at = (name: string) => join(folder, name);
beforeEach(() => void (folder = newFolder()));

test("a new file has the permissions asked for, and one that is there keeps its own", async () => {
  await writeAtomically(at("secret"), "1", { mode: 0o600 });
  await writeFile(at("old"), "0");
  await chmod(at("old"), 0o775);
  await writeAtomically(at("old"), "1", { mode: 0o600 });
  expect([(await stat(at("secret"))).mode & 0o777, (await stat(at("old"))).mode & 0o777]).toEqual([
    0o600, 0o775,
  ]);
  expect(await readdir(folder)).toEqual(["old", "secret"]);
});

test("a link is replaced, or the file it leads to is written", async () => {
  await writeFile(at("target"), "theirs");
  await symlink("target", at("link"));
  await writeAtomically(at("link"), "followed", { followsLink: true });
  expect([await readlink(at("link")), await readFile(at("target"), "utf8")]).toEqual(["target", "followed"]);
  await writeAtomically(at("link"), "replaced");
  expect([(await lstat(at("link"))).isFile(), await readFile(at("target"), "utf8")]).toEqual([
    true,
    "followed",
  ]);
});

test("what may not be replaced stays, and no draft is left", async () => {
  await writeFile(at("file"), "theirs");
  const mayReplace = async () => (await readFile(at("file"), "utf8")) === "mine";
  expect(await writeAtomically(at("file"), "new", { mayReplace })).toBe(false);
  await expect(writeAtomically(folder, "new")).rejects.toMatchObject({ code: "EISDIR" });
  expect([await readdir(folder), await readFile(at("file"), "utf8")]).toEqual([["file"], "theirs"]);
});

test("a link that leads nowhere is there, and only what may be started is executable", async () => {
  await symlink("nowhere", at("link"));
  await writeFile(at("program"), "", { mode: 0o755 });
  expect(await Promise.all(["link", "none", "none/below"].map((name) => exists(at(name))))).toEqual([
    true,
    false,
    false,
  ]);
  expect(await Promise.all(["link", "program"].map((name) => isExecutable(at(name))))).toEqual([false, true]);
});
