import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { parseSettings } from "../../config/settings.ts";
import { notesOf } from "./next.ts";
import { readProject } from "./project.ts";
import { settingsText } from "./texts.ts";

const files = {
  "package.json": '{ "private": true }',
  "pnpm-workspace.yaml": "packages: [packages/*]\n",
  "packages/api/package.json": '{ "devDependencies": { "jest": "30" } }',
  "packages/web/package.json": '{ "devDependencies": { "vitest": "4" } }',
  "report/pyproject.toml": "[tool.pytest.ini_options]\n",
};

test("init reports and sets the runner of each package", async () => {
  const root = newFolder();

  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const found = await readProject(root, "");
  expect(notesOf({ found, written: [], kept: [], removed: [] })).toEqual([
    "found: languages JavaScript, Python; test runners pytest, jest, vitest; agents none",
    "source: every file that is neither test, fixture nor configuration",
    "test runner of each package: report pytest, packages/api jest, packages/web vitest",
  ]);
  const packages = { report: "pytest", "packages/api": "jest", "packages/web": "vitest" };
  expect(parseSettings(settingsText(found))).toMatchObject({ packages });
  expect(found.runner).toBeNull();
});
