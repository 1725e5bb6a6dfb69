import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { proofProject, rules, type ProofProject } from "../../../test/proof-project.ts";
import { inCi, verifiesInCi } from "../../../test/verifies.ts";
import { cargo } from "../../evidence/runners/cargo.ts";
import { go } from "../../evidence/runners/go.ts";
import { pytest } from "../../evidence/runners/pytest.ts";
import { unittest } from "../../evidence/runners/unittest.ts";
import type { Runner } from "../../evidence/runner.ts";
import { AppError } from "../../lib/errors.ts";
import { findProgram } from "./programs.ts";
import { detectPackages, type Detection } from "./packages.ts";
import { projectAt } from "./project.ts";
import { testFilesOf } from "./test-files.ts";

let project: ProofProject;

beforeAll(async () => {
  project = await proofProject({ "README.md": "" });
  for (const name of ["vitest", "jest", "mocha"]) {
    await mkdir(join(project.repo.dir, "node_modules", name), { recursive: true });
    await writeFile(join(project.repo.dir, "node_modules", name, "package.json"), '{ "version": "99.8.7" }');
  }
});

/** The runner of a repository of one package. */
async function detectRunner(detection: Detection) {
  const [only, ...others] = await detectPackages(detection);
  if (only === undefined || only.prefix !== "" || others.length > 0) throw new TypeError("several packages");
  return only.found;
}

/** The detected runner's name, or the code and message of the refusal. */
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

verifiesInCi(
  "CORE-21",
  "setting, configuration, dependencies and imports decide, in this order",
  async () => {
    expect(await found({ ...nodeTest, ...withVitest, "vitest.config.ts": "" }, "node-test")).toBe(
      "node:test",
    );
    expect(
      await found({
        ...nodeTest,
        "package.json": '{ "devDependencies": { "jest": "1" } }',
        "vitest.config.ts": "",
      }),
    ).toBe("vitest");
    expect(
      await found({ ...nodeTest, "vite.config.js": "export default { test: { globals: true } };" }),
    ).toBe("vitest");
    expect(await found({ ...nodeTest, "vite.config.js": "// test: {}\nexport default {};" })).toBe(
      "node:test",
    );
    expect(await found({ ...nodeTest, ...withVitest })).toBe("vitest");
    expect(await found({ ...nodeTest, "package.json": "{ broken" })).toBe("node:test");
    expect(await found({ "tests/b.cjs": 'const { test } = require("node:test");\n' })).toBe("node:test");
    expect(await found({ "package.json": '{ "jest": {} }' })).toBe("jest");
    expect(await found({ "tests/a.test.js": 'import { test } from "@jest/globals";' })).toBe("jest");
    expect(await found({ ".mocharc.yml": "" })).toBe("mocha");
    expect(await found({ "package.json": '{ "devDependencies": { "mocha": "12" } }' })).toBe("mocha");
  },
);

inCi(
  "the project's own test command decides between JavaScript runners, and files of others are ignored",
  async () => {
    const scripted = (scripts: Record<string, string>, rest: Record<string, unknown> = {}) => ({
      "package.json": JSON.stringify({ scripts, ...rest }),
    });
    const both = { devDependencies: { vitest: "3", mocha: "11", jest: "30" } };
    const bench = { bench: "vitest bench", test: "mocha --check-leaks test/" };
    expect(await found(scripted(bench, both))).toBe("mocha");
    expect(await found({ ...scripted(bench, both), "vitest.config.ts": "" })).toBe("mocha");
    expect(await found(scripted({ test: "node --test" }, { jest: {}, mocha: {} }))).toBe("node:test");
    const parts = { "test:unit": "c8 --100 node --test", "test:jest": "jest jest.test.js" };
    expect(
      await found(scripted({ ...parts, test: "npm run test:unit && npm run test:jest && tstyche" }, both)),
    ).toBe("node:test");
    expect(await found(scripted({ test: "npm run lint && jest" }, { jest: {}, mocha: {} }))).toBe("jest");
    // A command without a known runner leaves the decision to the files.
    expect(await found(scripted({ test: "ava" }, both))).toBe(
      "runner_ambiguous (exit 2): several test runners are possible: vitest, jest, mocha",
    );
    expect(await found(scripted({ test: "mocha && jest" }))).toBe(
      "runner_ambiguous (exit 2): several test runners are possible: mocha, jest",
    );
    expect(await found({ ...scripted({ test: "mocha && jest" }), ".mocharc.yml": "" })).toBe("mocha");
    // A script does not decide about another language.
    expect(await foundOrMissing({ ...scripted({ test: "mocha" }), "go.mod": "module a\n" })).toBe("go");
  },
);

verifiesInCi(
  "CORE-21",
  "two equal candidates are named, and the absence of any has its own code",
  async () => {
    expect(
      await found({ "tests/a.js": 'import { test } from "vitest";', "tests/b.js": 'import "node:test";' }),
    ).toBe("runner_ambiguous (exit 2): several test runners are possible: node:test, vitest");
    expect(await found({ "vitest.config.js": "", "jest.config.js": "" })).toBe(
      "runner_ambiguous (exit 2): several test runners are possible: jest, vitest",
    );
    expect(await found({ "tests/a.js": "test();" })).toBe(
      "runner_not_found (exit 5): no test runner was found",
    );
    expect(await found({ "package.json": '{ "scripts": { "test": "tap run tests/*.js" } }' })).toBe(
      "runner_not_found (exit 5): no known test runner was found: `npm test` starts `tap run tests/*.js`",
    );
    expect(await found({ "package.json": '{ "scripts": { "test": "echo no test specified" } }' })).toBe(
      "runner_not_found (exit 5): no test runner was found",
    );
    expect(await found({ "package.json": '{ "jest": {}, "mocha": {} }' })).toBe(
      "runner_ambiguous (exit 2): several test runners are possible: jest, mocha",
    );
  },
);

inCi(
  "files of Python, Go and Rust select their runner, and only several languages together are ambiguous",
  async () => {
    const named = (files: Record<string, string>) => foundOrMissing(files);
    expect(await named({ "pyproject.toml": "[tool.pytest.ini_options]" })).toBe("pytest");
    expect(await named({ "setup.cfg": "[tool:pytest]\n" })).toBe("pytest");
    expect(await named({ "requirements-dev.txt": "pytest>=7\n" })).toBe("pytest");
    expect(await named({ "requirements.txt": "pytest-like # pytest\n" })).toBe("none");
    expect(await named({ "tests/test_a.py": "def test_a(): pass\n" })).toBe("pytest");
    expect(await named({ "tests/test_a.py": "import unittest\n" })).toBe("unittest");
    expect(await named({ "tests/test_a.py": "from unittest import mock\n" })).toBe("none");
    expect(await named({ "go.mod": "module a\n" })).toBe("go");
    expect(await named({ "Cargo.toml": "[package]\n" })).toBe("cargo");
    expect(await found({ "go.mod": "module a\n", "Cargo.toml": "[package]\n" })).toBe(
      "runner_ambiguous (exit 2): several test runners are possible: cargo, go",
    );
  },
);

/** A machine without the program still names its runner. */
async function foundOrMissing(files: Record<string, string>): Promise<string> {
  const name = await found(files);
  return (
    /: (\w+) is the project's runner, but there is no/.exec(name)?.[1] ??
    (name.includes("no test runner") ? "none" : name)
  );
}

inCi("a program inside the repository, or linked by a package manager, is never used", async () => {
  await project.repo.write({
    "bin/python3": "#!/bin/sh\nexit 0\n",
    "node_modules/.bin/python3": "#!/bin/sh\n",
  });
  const { dir } = project.repo;
  for (const file of ["bin/python3", "node_modules/.bin/python3"]) await chmod(join(dir, file), 0o755);
  const path = [join(dir, "bin"), join(dir, "node_modules/.bin"), "bin", process.env["PATH"]].join(":");
  const asked = findProgram({ program: "python3", name: "unittest" }, { path, projects: [dir] });
  const where = await asked.then(
    (program) => program.path,
    (error: unknown) => String(error),
  );
  expect(where.startsWith(dir)).toBe(false);
  await rm(join(dir, "bin"), { recursive: true });
});

test("an unsupported version is refused with the oldest supported one, and the entry is the one in its package.json", async () => {
  const file = join(project.repo.dir, "node_modules/mocha/package.json");
  const entry = async (version: string, bin: unknown) => {
    await writeFile(file, JSON.stringify({ version, bin }));
    const commit = await project.commitOn(project.base, { ".mocharc.yml": "" });
    const settings = { paths: rules };
    return detectRunner({ repository: project.repository, commit, settings }).then(
      (runner) => runner.entry,
      (error: unknown) =>
        error instanceof AppError && `${error.code} ${error.exitCode}: ${error.message} (${error.hint})`,
    );
  };
  const modules = join(project.repo.dir, "node_modules/mocha");
  expect(await entry("9.2.2", { mocha: "./bin/mocha" })).toBe(join(modules, "bin/mocha"));
  expect(await entry("11.0.0", { mocha: "bin/mocha.js" })).toBe(join(modules, "bin/mocha.js"));
  expect(await entry("1.17.1", { mocha: "./bin/mocha" })).toBe(
    "runner_outdated 5: mocha 1.17.1 cannot be judged; 1.18.0 is the oldest version that can (install a newer one: `npm install --save-dev mocha@latest`, or at least mocha@1.18.0)",
  );
  await writeFile(file, '{ "version": "99.8.7" }');
});

test("the entry is the main checkout's own, never one of the commit", async () => {
  const commit = await project.commitOn(project.base, withVitest);
  const { entry, version } = await detectRunner({
    repository: project.repository,
    commit,
    settings: { paths: rules },
  });
  expect([entry, version]).toEqual([join(project.repo.dir, "node_modules/vitest/vitest.mjs"), "99.8.7"]);
});

test("each language has its own test files, without fixtures and vendored files", async () => {
  const commit = await project.commitOn(project.base, {
    "tests/test_a.py": "",
    "tests/helper.py": "def help(): pass\n",
    "tests/more.py": "def test_more(): pass\n",
    "tests/conftest.py": "",
    "tests/fixtures/test_no.py": "",
    "pkg/b_test.py": "",
    "a/a_test.go": "",
    "vendor/x/x_test.go": "",
    "other/go.mod": "",
    "other/b/b_test.go": "",
    "a/testdata/y_test.go": "",
    "src/lib.rs": "/// ```\n/// assert!(true);\n/// ```\npub fn a() {}\n",
    "src/plain.rs": "pub fn b() {}\n",
    "src/unit.rs": "#[cfg(test)]\nmod tests { #[test]\n fn c() {} }\n",
    "tests/d.rs": "",
    "tests/common/mod.rs": "#[test]\nfn no() {}\n",
  });
  const at = await projectAt(project.repository, commit);
  const of = async (runner: Runner) => testFilesOf(at, rules, runner);
  const python = ["pkg/b_test.py", "tests/more.py", "tests/test_a.py"];
  expect(await of(pytest)).toEqual(python);
  expect(await of(unittest)).toEqual(python);
  expect(await of(go)).toEqual(["a/a_test.go"]);
  expect(await of(cargo)).toEqual(["src/lib.rs", "src/unit.rs", "tests/d.rs"]);
});

inCi(
  "jest gets the flag for modules if a script or configuration requests it, or nothing transforms them",
  async () => {
    const flagged = async (files: Record<string, string>) => {
      const commit = await project.commitOn(project.base, files);
      const settings = { paths: rules, runner: "jest" };
      const { runner, entry } = await detectRunner({ repository: project.repository, commit, settings });
      const request = { entry, project: "/p", files: [], report: "/r/report", shuffle: false, timeoutMs: 2 };
      return runner.argv(request)[0] === "--experimental-vm-modules";
    };
    const modules = '{ "type": "module" }';
    expect(await flagged({})).toBe(false);
    expect(await flagged({ "package.json": modules })).toBe(true);
    expect(await flagged({ "package.json": modules, "babel.config.cjs": "module.exports = {};" })).toBe(
      false,
    );
    expect(await flagged({ "package.json": modules, "jest.config.js": "export default {};" })).toBe(true);
    expect(
      await flagged({ "package.json": modules, "jest.config.js": 'export default { preset: "ts-jest" };' }),
    ).toBe(false);
    expect(
      await flagged({ "jest.config.js": 'module.exports = { preset: "ts-jest/presets/default-esm" };' }),
    ).toBe(true);
    expect(
      await flagged({ "package.json": '{ "scripts": { "test": "node --experimental-vm-modules x" } }' }),
    ).toBe(true);
  },
);

test("files that use the globals of jest and mocha hold tests; a helper that exports tests does not", async () => {
  const commit = await project.commitOn(project.base, {
    "tests/adds.js": 'const assert = require("assert");\ndescribe("adds", () => { it("a", () => {}); });\n',
    "tests/shared.js": 'module.exports = () => {\n  it("is shared", () => {});\n};\n',
    "tests/other.js": 'import test from "node:test";\ntest("no", () => {});\n',
  });
  const at = await projectAt(project.repository, commit);
  for (const runner of ["jest", "mocha"]) {
    const settings = { paths: rules, runner };
    const found = await detectRunner({ repository: project.repository, commit, settings });
    expect(await testFilesOf(at, rules, found.runner)).toEqual(["tests/adds.js"]);
  }
});

test("a runner's test files are those of its own names, and scripts in test paths that use it; not fixtures", async () => {
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
