import { expect, test } from "vitest";
import { parseSettings } from "../../config/settings.ts";
import { kindOf } from "../../source/paths.ts";
import { withFoundPaths } from "./found-paths.ts";
import type { Project } from "./project.ts";

function projectWith(files: Readonly<Record<string, string>>): Project {
  const paths = Object.keys(files);
  return {
    commit: "",
    tree: "",
    prefix: "",
    files: new Map(paths.map((path) => [path, { path, mode: "100644", blob: "" }])),
    texts: (wanted) =>
      Promise.resolve(
        new Map(paths.flatMap((path) => (wanted.includes(path) ? [[path, files[path] ?? ""]] : []))),
      ),
  };
}

const project = projectWith({
  "package.json":
    '{ "scripts": { "pretest": "sh prepare.sh", "test": "sh ./ci/test.sh && node lib/cart.js" } }',
  "prepare.sh": "",
  "ci/test.sh": "",
  "ci/more.sh": "",
  "tools/report.php": "",
  "lib/cart.js": "",
  "checks/cart.js": "",
  "packages/web/package.json": '{ "scripts": { "test": "node run/all.js" } }',
  "packages/web/run/all.js": "",
  "packages/web/src/cart.js": "",
});
const junit = 'tests: { junit: { command: "php tools/report.php {report}" } }\n';

test("the scripts that run the tests are configuration, with their folder, unless they are in a folder of source", async () => {
  const { paths } = await withFoundPaths(parseSettings(`version: 1\n${junit}`), [project]);
  expect(paths.source).toEqual(["lib/", "packages/web/src/"]);
  expect(paths.rest).toEqual({ configuration: ["ci/", "packages/web/run/", "prepare.sh", "tools/"] });
  const kinds = ["ci/more.sh", "tools/new.php", "packages/web/run/new.js", "lib/cart.js", "pages/cart.js"];
  expect(kinds.map((path) => kindOf(path, paths))).toEqual(["other", "other", "other", "source", "source"]);
});

test("folders that the settings name are kept, and a folder of one of several commits is enough", async () => {
  const named = parseSettings("version: 1\npaths: { source: [pages/] }\n");
  expect(await withFoundPaths(named, [project])).toBe(named);
  const tests = parseSettings("version: 1\npaths: { tests: [checks/] }\n");
  const head = projectWith({ "app/cart.js": "" });
  expect((await withFoundPaths(tests, [project, head])).paths).toMatchObject({
    tests: ["checks/"],
    source: ["lib/", "app/", "packages/web/src/"],
  });
});
