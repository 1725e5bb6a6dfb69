import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { proofProject, rules, type ProofProject } from "../../../test/proof-project.ts";
import { AppError } from "../../lib/errors.ts";
import { detectRunner, testFilesOf, type Detection } from "./detect.ts";
import { projectAt } from "./project.ts";

let project: ProofProject;

beforeAll(async () => {
  project = await proofProject({ "README.md": "" });
  await mkdir(join(project.repo.dir, "node_modules/vitest"), { recursive: true });
  await writeFile(join(project.repo.dir, "node_modules/vitest/package.json"), '{ "version": "9.8.7" }');
});
afterAll(() => project.remove());

/** The name of the runner found, or the code and message of the refusal. */
async function found(files: Record<string, string>, runner?: string | null): Promise<string> {
  const commit = await project.commitOn(project.base, files);
  const settings: Detection["settings"] = { paths: rules, ...(runner === undefined ? {} : { runner }) };
  try {
    return (await detectRunner({ repository: project.repository, commit, settings })).name;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `${error.code} (exit ${error.exitCode}): ${error.message}`;
  }
}

const nodeTest = { "tests/a.test.js": 'import test from "node:test";\n' };
const withVitest = { "package.json": '{ "devDependencies": { "vitest": "1", "prettier": "1" } }' };

test("setting, configuration, dependencies and imports decide, in this order", async () => {
  expect(await found({ ...nodeTest, ...withVitest, "vitest.config.ts": "" }, "node-test")).toBe("node:test");
  expect(
    await found({
      ...nodeTest,
      "package.json": '{ "devDependencies": { "jest": "1" } }',
      "vitest.config.ts": "",
    }),
  ).toBe("vitest");
  expect(await found({ ...nodeTest, "vite.config.js": "export default { test: { globals: true } };" })).toBe(
    "vitest",
  );
  expect(await found({ ...nodeTest, "vite.config.js": "// test: {}\nexport default {};" })).toBe("node:test");
  expect(await found({ ...nodeTest, ...withVitest })).toBe("vitest");
  expect(await found({ ...nodeTest, "package.json": "{ broken" })).toBe("node:test");
  expect(await found({ "tests/b.cjs": 'const { test } = require("node:test");\n' })).toBe("node:test");
});

test("two equal candidates are named, and the absence of any has its own code", async () => {
  expect(
    await found({ "tests/a.js": 'import { test } from "vitest";', "tests/b.js": 'import "node:test";' }),
  ).toBe("runner_ambiguous (exit 2): several test runners are possible: node:test, vitest");
  expect(await found({ "vitest.config.js": "", "jest.config.js": "" })).toBe(
    "runner_ambiguous (exit 2): several test runners are possible: jest, vitest",
  );
  expect(await found({ "tests/a.js": "test();" })).toBe("runner_missing (exit 5): no test runner was found");
  expect(await found({ "package.json": '{ "jest": {} }' })).toBe(
    "runner_missing (exit 5): the runner jest is not supported yet",
  );
  expect(await found({ "go.mod": "module a" })).toBe(
    "runner_missing (exit 5): the runner go is not supported yet",
  );
  expect(await found({ "pyproject.toml": "[tool.pytest.ini_options]" })).toBe(
    "runner_missing (exit 5): the runner pytest is not supported yet",
  );
});

test("the entry is the main checkout's own, never one of the commit", async () => {
  const commit = await project.commitOn(project.base, withVitest);
  const { entry, version } = await detectRunner({
    repository: project.repository,
    commit,
    settings: { paths: rules },
  });
  expect([entry, version]).toEqual([join(project.repo.dir, "node_modules/vitest/vitest.mjs"), "9.8.7"]);
});

test("a runner finds the files of its own names, and scripts in test paths that use it; fixtures are not", async () => {
  const commit = await project.commitOn(project.base, {
    "tests/a.test.js": "",
    "tests/plain.js": 'import { it } from "node:test";\nit("a", () => {});\n',
    "tests/helper.js": 'import { mock } from "node:test";\nexport const one = mock.fn();\n',
    "tests/fixtures/b.test.js": "",
    "src/c.test.mjs": "",
    "src/d.js": 'import test from "node:test";\ntest("no", () => {});\n',
    "tests/types.d.ts": "",
  });
  const { runner } = await detectRunner({
    repository: project.repository,
    commit,
    settings: { paths: rules, runner: "node:test" },
  });
  const at = await projectAt(project.repository, commit);
  expect(await testFilesOf(at, rules, runner)).toEqual([
    "src/c.test.mjs",
    "tests/a.test.js",
    "tests/plain.js",
  ]);
});
