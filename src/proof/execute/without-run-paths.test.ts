import { beforeAll, expect, test } from "vitest";
import type { TestResult } from "../../evidence/test-result.ts";
import { proofProject, rules, type ProofProject } from "../../../test/proof-project.ts";
import { withoutRunPaths } from "./without-run-paths.ts";
import { inCi } from "../../../test/verifies.ts";

const old = `import test from "node:test";
import assert from "node:assert/strict";
import { homedir, tmpdir } from "node:os";
import { pathToFileURL } from "node:url";
import { old } from "../src/old.js";
const place = process.cwd();
for (const title of [place, place + "/a.js", pathToFileURL(place).href + "/a.js", tmpdir(), homedir()])
  test("knows " + title, () => assert.equal(old(), 1));
`;
let project: ProofProject;
beforeAll(async () => {
  project = await proofProject({
    "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
    "src/old.js": "export const old = () => 1;\n",
    "tests/old.test.js": old,
  });
});

inCi("a test whose title contains its working folder is the same test in every checkout", async () => {
  const settings = { runner: "node:test", paths: rules };
  const head = await project.commitOn(project.base, {
    "tests/new.test.js":
      'import test from "node:test";\nimport assert from "node:assert/strict";\nimport { later } from "../src/later.js";\ntest("new", () => assert.equal(later(), 2));\n',
  });
  const red = await project.red(head, { settings, planned: ["src/later.js"] });
  expect(red.verdict.checks.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
  expect(red.required).toEqual(["tests/new.test.js::new"]);
  const green = async (value: number) => {
    const commit = await project.commitOn(head, {
      "src/later.js": "export const later = () => 2;\n",
      "src/old.js": `export const old = () => ${value};\n`,
    });
    return project.green({ settings, red: head, head: commit, required: red.required });
  };
  expect((await green(1)).verdict.outcome).toBe("pass");
  const broken = (await green(3)).verdict.checks.find(({ name }) => name === "regressions");
  expect(broken?.tests).toEqual(
    [".", "a.js", "a.js#2", "<temporary files>", "<home>"].map(
      (place) => `tests/old.test.js::knows ${place}`,
    ),
  );
});

test("go's suites of the parts of a path become one name, and no two tests become one", () => {
  const checkout = {
    path: "/tmp/m/proof.1/tree",
    scratch: "/tmp/m/proof.1/scratch",
    files: [],
    content: "",
    dependencies: [],
  };
  const folder = `${checkout.scratch}/r`;
  const place = {
    folder,
    report: "",
    counts: "",
    temp: `${folder}/tmp`,
    home: `${folder}/home`,
    cache: `${checkout.scratch}/cache`,
  };
  const passed = (id: string): TestResult => ({ id, status: "passed", kind: null, message: "", frames: [] });
  const ids = [
    "a_test.go::TestOf::::tmp::m::proof.1::tree::b",
    "a.py::test_of[/tmp/m/proof.1/scratch/cache/x]",
    "a.js::of .",
    "a.js::of /tmp/m/proof.1/tree",
    "a.js::of .#2",
  ];
  const report = { report: true, tests: ids.map(passed), loadErrors: [], problems: [] };
  expect(withoutRunPaths(report, checkout, place).tests.map(({ id }) => id)).toEqual([
    "a_test.go::TestOf::.::b",
    "a.py::test_of[<cache>/x]",
    "a.js::of .",
    "a.js::of .#3",
    "a.js::of .#2",
  ]);
});
