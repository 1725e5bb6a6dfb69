import { mkdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { documentFolder } from "../../run/documents/names.ts";
import { documentNames, readDocument } from "./documents.ts";

let folder: string;
let workspace: string;
beforeEach(async () => {
  folder = newFolder();
  workspace = join(folder, "workspace");
  await mkdir(join(workspace, ".claude"), { recursive: true });
});

test("documents are read from the workspace's folder, and not from the target of a link in its place", async () => {
  const elsewhere = join(folder, "elsewhere");
  await mkdir(elsewhere);
  await writeFile(join(elsewhere, "spec.md"), "a person's own file");
  await symlink(elsewhere, join(workspace, documentFolder));
  expect(await documentNames(workspace)).toEqual([]);
  await rm(join(workspace, documentFolder));
  await mkdir(join(workspace, documentFolder));
  await symlink(join(elsewhere, "spec.md"), join(workspace, documentFolder, "spec.md"));
  await writeFile(join(workspace, documentFolder, "architecture.md"), "written");
  expect(await documentNames(workspace)).toEqual(["architecture.md"]);
  expect(await readDocument(workspace, "architecture.md")).toBe("written");
});

test("a document of three gigabytes is not read (fault S7)", async () => {
  await mkdir(join(workspace, documentFolder));
  await writeFile(join(workspace, documentFolder, "spec.md"), "");
  await truncate(join(workspace, documentFolder, "spec.md"), 3 * 1024 ** 3);
  expect(await documentNames(workspace)).toEqual(["spec.md"]);
  expect(await readDocument(workspace, "spec.md")).toBe(null);
});
