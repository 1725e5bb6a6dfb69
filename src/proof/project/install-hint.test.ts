import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { addCommand, installHint } from "./install-hint.ts";

test("the hint names the project's own package manager, and not `npm ci` if Yarn keeps no node_modules (fault L5)", async () => {
  const root = newFolder();

  const hints: string[] = [];
  for (const file of ["package.json", "package-lock.json"]) {
    await writeFile(join(root, file), "{}");
    hints.push(await installHint(root));
  }
  await rm(join(root, "package-lock.json"));
  await writeFile(join(root, "yarn.lock"), "");
  hints.push(await installHint(root));
  await writeFile(join(root, ".pnp.cjs"), "");
  hints.push(await installHint(root));
  expect(hints.map((hint) => /`([^`]*)`$/u.exec(hint)?.[1])).toEqual([
    "npm install",
    "npm ci",
    "yarn install",
    "yarn install",
  ]);
  expect(hints.at(-1)).toContain("nodeLinker: node-modules");
  const adds: string[] = [await addCommand(root, "vitest@latest")];
  await rm(join(root, "yarn.lock"));
  for (const lock of ["bun.lock", "pnpm-lock.yaml", "package-lock.json"]) {
    await writeFile(join(root, lock), "");
    adds.push(await addCommand(root, "vitest@latest"));
  }
  expect(adds).toEqual([
    "yarn add --dev vitest@latest",
    "bun add --dev vitest@latest",
    "pnpm add --save-dev vitest@latest",
    "npm install --save-dev vitest@latest",
  ]);
});
