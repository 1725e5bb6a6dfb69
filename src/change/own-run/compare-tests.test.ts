/** Compares the project's own test command with a proof, for every runner (PRV-03). */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { proofProject, rules } from "../../../test/proof-project.ts";
import { samples } from "../../../test/wide.ts";
import { runnersHere } from "../../evidence/fixtures/run-native.ts";
import { packageBaselines } from "../../proof/base/baseline.ts";
import { packagesOf } from "../../proof/project/packages.ts";
import { projectAt } from "../../proof/project/project.ts";
import { proofSetting } from "../../proof/setting.ts";
import { comparePart, type PackageComparison } from "./compare-tests.ts";

type Files = Readonly<Record<string, string>>;

/** @param laid uncommitted files */
async function compared(runner: string, files: Files, laid: Files): Promise<PackageComparison> {
  const world = await proofProject(files, { modules: true });
  const { ports, repository } = world;
  const base = await projectAt(repository, world.base);
  const packages = await packagesOf(repository, base, { runner, paths: rules });
  const cache = { get: async () => null, put: async () => undefined };
  const setting = await proofSetting({ ports, cache, rules, base, packages });
  const [part] = await packageBaselines(setting, "nothing");
  if (part === undefined) throw new Error("the base holds no test");
  for (const [path, text] of Object.entries(laid)) {
    const file = join(world.repo.dir, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const env = { PATH: process.env["PATH"] ?? "", HOME: world.repo.dir };
  const { node, timeoutMs } = ports;
  return comparePart({ repository, env, node, timeoutMs, project: base, part, cause: null });
}

const script = (text: string, more: object = {}) =>
  JSON.stringify({ type: "module", scripts: { test: text }, ...more });
const assert = 'import assert from "node:assert/strict";\n';
const head = `import test from "node:test";\n${assert}`;
const vitest = 'import { test, expect } from "vitest";\n';
const jest = 'import { test, expect } from "@jest/globals";\n';
const expects = (title: string) => `test("${title}", () => { expect(1).toBe(1); });\n`;
/** Passes only with the ignored file `.env` of the user. */
const reads = `import { existsSync } from "node:fs";\n`;
const asserts = (title: string) => `test("${title}", () => assert.equal(1, 1));\n`;
const ignored = { ".gitignore": ".env\nnode_modules\ntarget\n__pycache__\n" };
const env = { ".env": "X=1\n" };

interface Told {
  readonly files: Files;
  readonly laid: Files;
  /** Id -> results of both. */
  readonly differing: Readonly<Record<string, string>>;
  readonly tests: number;
}

const projects: Readonly<Record<string, Told>> = {
  "node:test": {
    files: {
      "package.json": script("node --test --test-reporter=dot unit/*.check.js && node --test more/*.js"),
      "unit/a.check.js": `${head}${reads}${asserts("one")}test("two", () => assert.ok(existsSync(".env")));\n`,
      "more/b.js": `${head}${asserts("three")}test.skip("four", () => {});\n`,
    },
    laid: { ...env, "unit/new.check.js": `${head}${asserts("new")}` },
    differing: { "unit/a.check.js::two": "passed failed", "unit/new.check.js::new": "passed null" },
    tests: 5,
  },
  vitest: {
    files: {
      "package.json": script("vitest run --reporter=dot"),
      "vitest.config.js": 'export default { test: { include: ["unit/*.check.js"] } };\n',
      "unit/a.check.js": `${vitest}${reads}${expects("one")}test("two", () => { expect(existsSync(".env")).toBe(true); });\n`,
    },
    laid: { ...env, "unit/new.check.js": `${vitest}${expects("new")}` },
    differing: { "unit/a.check.js::two": "passed failed", "unit/new.check.js::new": "passed null" },
    tests: 3,
  },
  jest: {
    files: {
      "package.json": script("jest --silent", { jest: { testRegex: "\\.check\\.js$" } }),
      "unit/a.check.js": `${jest}${reads}${expects("one")}test("two", () => { expect(existsSync(".env")).toBe(true); });\n`,
    },
    laid: { ...env, "unit/new.check.js": `${jest}${expects("new")}` },
    differing: { "unit/a.check.js::two": "passed failed", "unit/new.check.js::new": "passed null" },
    tests: 3,
  },
  mocha: {
    files: {
      "package.json": script("mocha --reporter dot"),
      ".mocharc.json": JSON.stringify({ spec: "unit/*.check.js" }),
      "unit/a.check.js": `import { it as test } from "mocha";\n${assert}${reads}${asserts("one")}test("two", () => assert.ok(existsSync(".env")));\n`,
    },
    laid: { ...env, "unit/new.check.js": `import { it as test } from "mocha";\n${assert}${asserts("new")}` },
    differing: { "unit/a.check.js::two": "passed failed", "unit/new.check.js::new": "passed null" },
    tests: 3,
  },
  pytest: {
    files: {
      "pytest.ini": "[pytest]\naddopts = --doctest-modules\npython_files = check_*.py\n",
      "unit/check_a.py":
        'import os\nimport pytest\n\n\ndef one():\n    """\n    >>> one()\n    1\n    """\n    return 1\n\n\nclass TestA:\n    @pytest.mark.parametrize("x", [1, 2])\n    def test_x(self, x):\n        assert x\n\n\n@pytest.mark.xfail\ndef test_odd():\n    assert True\n\n\ndef test_two():\n    assert os.path.exists(".env")\n',
      "shop.py": 'def shop():\n    """\n    >>> shop()\n    2\n    """\n    return 2\n',
    },
    laid: { ...env, "unit/check_new.py": "def test_new():\n    assert True\n" },
    differing: { "unit/check_a.py::test_two": "passed failed", "unit/check_new.py::test_new": "passed null" },
    tests: 7,
  },
  unittest: {
    files: {
      "package.json": script("python3 -m unittest discover -v -s unit -p '*_check.py'"),
      "unit/a_check.py":
        'import os\nimport unittest\n\n\nclass A(unittest.TestCase):\n    def test_one(self):\n        """In words."""\n        for at in range(2):\n            with self.subTest(at=at):\n                self.assertEqual(1, 1)\n\n    @unittest.skip("later")\n    def test_later(self):\n        self.fail()\n\n    @unittest.expectedFailure\n    def test_odd(self):\n        self.fail()\n\n    def test_two(self):\n        self.assertTrue(os.path.exists(".env"))\n',
    },
    laid: {
      ...env,
      "unit/new_check.py":
        "import unittest\n\n\nclass New(unittest.TestCase):\n    def test_new(self):\n        self.assertTrue(True)\n",
    },
    differing: {
      "unit/a_check.py::A::test_two": "passed failed",
      "unit/new_check.py::New::test_new": "passed null",
    },
    tests: 5,
  },
  go: {
    files: {
      "go.mod": "module example.com/x\n\ngo 1.19\n",
      "package.json": script("go test -v -tags checks ./..."),
      "x.go": "package x\n",
      "unit/a_test.go":
        '//go:build checks\n\npackage unit_test\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestOne(t *testing.T) {\n\tt.Run("part", func(t *testing.T) {})\n}\n\nfunc TestTwo(t *testing.T) {\n\tif _, err := os.Stat("../.env"); err != nil {\n\t\tt.Fatal(err)\n\t}\n}\n',
    },
    laid: {
      ...env,
      "unit/new_test.go": 'package unit_test\n\nimport "testing"\n\nfunc TestNew(t *testing.T) {}\n',
    },
    differing: { "unit/a_test.go::TestTwo": "passed failed", "unit/new_test.go::TestNew": "passed null" },
    tests: 4,
  },
  cargo: {
    files: {
      "Cargo.toml":
        '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n[[test]]\nname = "odd"\npath = "tests/check.rs"\n',
      "Cargo.lock": 'version = 3\n\n[[package]]\nname = "x"\nversion = "0.1.0"\n',
      "src/lib.rs":
        "/// ```\n/// assert_eq!(x::one(), 1);\n/// ```\npub fn one() -> i32 { 1 }\n\n#[test]\nfn inside() { assert_eq!(one(), 1); }\n",
      "tests/check.rs":
        '#[test]\nfn inside() { assert_eq!(x::one(), 1); }\n\n#[test]\nfn two() { assert!(std::path::Path::new(".env").exists()); }\n',
    },
    laid: { ...env, "tests/new.rs": "#[test]\nfn new() { assert_eq!(x::one(), 1); }\n" },
    differing: { "tests/check.rs::two": "passed failed", "tests/new.rs::new": "passed null" },
    tests: 5,
  },
};

const here = await runnersHere();
for (const [runner, { files, laid, differing, tests }] of samples(Object.entries(projects)))
  test.skipIf(!here.has(runner))(
    `${runner}: the project's own command is compared test by test, file by file`,
    { tags: "ci", timeout: 120_000 },
    async () => {
      const { own, proof, differences, uncompared } = await compared(runner, { ...ignored, ...files }, laid);
      expect([uncompared, own.last_lines]).toEqual([null, []]);
      const found = differences.map((one) => [one.test, `${one.own} ${one.proof}`]);
      expect(Object.fromEntries(found)).toEqual(differing);
      expect([own.tests, proof.tests]).toEqual([tests, tests - 1]);
      expect(differences.find((one) => one.proof === null)?.cause).toMatch(
        /is not committed, so a clean checkout does not contain it$/,
      );
    },
  );
