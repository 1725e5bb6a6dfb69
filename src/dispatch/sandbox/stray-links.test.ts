import { lstat, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { removeStrayLinks } from "./stray-links.ts";

test("links out of the home and dangling links are removed; links within it are kept", async () => {
  const root = newFolder();

  const home = join(root, "home");
  await mkdir(join(home, "claude", "deep"), { recursive: true });
  await mkdir(join(root, "user"));
  await writeFile(join(root, "user", "login"), "x");
  await writeFile(join(home, "own"), "x");
  const links = {
    out: join(root, "user"),
    "claude/login": join(root, "user", "login"),
    "claude/deep/up": "../../../user",
    "claude/gone": join(root, "user", "new"),
    "claude/own": "../own",
  };
  for (const [name, target] of Object.entries(links)) await symlink(target, join(home, name));

  await removeStrayLinks(home);

  const left = await Promise.all(
    Object.keys(links).map(async (name) => ((await lstat(join(home, name)).catch(() => null)) ? [name] : [])),
  );
  expect(left.flat()).toEqual(["claude/own"]);
  expect((await lstat(join(root, "user", "login"))).isFile()).toBe(true);
});
