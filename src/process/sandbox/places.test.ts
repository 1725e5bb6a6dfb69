import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { hideableFolders, programOn, rulesToShow, toolsOn } from "./places.ts";

let root: string;
let home: string;
const program = async (path: string): Promise<void> => {
  await writeFile(path, "#!/bin/sh\n");
  await chmod(path, 0o755);
};
beforeAll(async () => {
  root = newFolder();
  home = join(root, "home");
  for (const folder of [
    "home/.local/bin",
    "home/.nvm/bin",
    "home/.nvm/lib/node_modules/agent/bin",
    "home/work/tools",
    "home/local/node_modules",
    "else",
  ])
    await mkdir(join(root, folder), { recursive: true });
  await program(join(home, ".nvm/lib/node_modules/agent/bin/cli.js"));
  await symlink("../lib/node_modules/agent/bin/cli.js", join(home, ".nvm/bin/agent"));
  await program(join(home, ".nvm/bin/node"));
  await program(join(home, ".local/bin/one"));
  await program(join(home, "local/claude"));
  await program(join(home, "work/tools/run.sh"));
  await program(join(root, "else/two"));
  await symlink(join(root, "else"), join(home, "elsewhere"));
});

const at = (path: string) => join(home, path);
const readable = (path: string) => ({ type: "readable", at: at(path) });

test.each([
  [
    "of a package all packages beside it",
    ".nvm/bin/agent",
    [".nvm/bin/agent", ".nvm/lib/node_modules", ".nvm/lib/node_modules/agent/bin/cli.js"],
  ],
  ["of an installation with libraries the whole of it", ".nvm/bin/node", [".nvm/bin/node", ".nvm"]],
  ["of a script the packages beside it", "local/claude", ["local/claude", "local/node_modules"]],
  ["of any other the file alone", ".local/bin/one", [".local/bin/one"]],
  ["of one in the checkout the file alone", "work/tools/run.sh", ["work/tools/run.sh"]],
])("shows what a program needs: %s", async (_name, file, expected) => {
  const rules = await programOn(at(file), { path: "", hidden: [home] });
  const shown = new Set(rules.map((rule) => rule.at));
  expect([...shown].sort()).toEqual(expected.map(at).sort());
});

test("finds it on the PATH, and needs no rules if nothing is hidden", async () => {
  const path = `${at("none")}:${at(".local/bin")}`;
  expect(await programOn("one", { path, hidden: [home] })).toContainEqual(readable(".local/bin/one"));
  expect(await programOn("one", { path, hidden: ["/else"] })).toEqual([]);
  expect(await programOn("nothing", { path, hidden: [home] })).toEqual([]);
});

test("shows the folders of PATH and of known tools, but never a whole hidden folder", async () => {
  const rules = await toolsOn([at(".local/bin"), home, root, "relative", at("gone")].join(":"), {
    home,
    hidden: [home],
  });
  expect(rules).toEqual([readable(".local/bin"), readable(".nvm")]);
});

test("a hidden link and its target are both visible", async () => {
  expect(await rulesToShow(at("elsewhere"), "readable", [home])).toEqual([
    { type: "link", at: at("elsewhere"), to: join(root, "else") },
  ]);
  expect(await rulesToShow(at("work"), "writable", [])).toEqual([{ type: "writable", at: at("work") }]);
});

test("hides existing folders by their real paths, but never the root folder", async () => {
  const wished = ["/", join(root, "gone"), at("elsewhere"), join(root, "else"), home];
  expect(await hideableFolders(wished)).toEqual([join(root, "else"), home]);
});
