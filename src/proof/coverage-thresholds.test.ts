/** A coverage threshold is no test: a part of the suite cannot reach it, and it decides no gate (fault E4). */
import { expect, test } from "vitest";
import { proofProject } from "../../test/proof-project.ts";
import { programOf } from "../evidence/fixtures/run-native.ts";
import { pytest } from "../evidence/runners/pytest.ts";

const hasPytest = (await programOf(pytest)) !== null;

/** Imitates pytest-cov's handling of its options, in the same hooks. */
const likePytestCov = `
import pytest

def pytest_addoption(parser):
    parser.addoption("--cov", action="append", default=[])
    parser.addoption("--cov-fail-under", type=float, default=None)
    parser.addoption("--no-cov", action="store_true", default=False)

@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config):
    options = early_config.known_args_namespace
    if options.cov and not options.no_cov:
        early_config.pluginmanager.register(Cov(options), "_cov")

class Cov:
    def __init__(self, options):
        self.options = options

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtestloop(self, session):
        yield
        if (self.options.cov_fail_under or 0) > 50:
            session.testsfailed += 1
`;

const modules = { "src/one.js": "exports.one = () => 1;\nexports.two = () => 2;\n" };
const globals = 'const { one } = require("../src/one.js");\ntest("one", () => { expect(one()).toBe(1); });\n';

test.each<readonly [string, boolean, Readonly<Record<string, string>>]>([
  [
    "jest",
    true,
    {
      ...modules,
      "package.json": JSON.stringify({
        scripts: { test: 'jest --coverage --coverageThreshold=\'{"global":{"lines":100}}\'' },
        jest: { collectCoverage: true, coverageThreshold: { global: { functions: 100 } } },
      }),
      "tests/one.test.js": globals,
    },
  ],
  [
    "vitest",
    true,
    {
      "package.json":
        '{ "type": "module", "scripts": { "test": "vitest run --coverage --coverage.thresholds.100" } }',
      "vitest.config.js":
        "export default { test: { globals: true, coverage: { enabled: true, thresholds: { 100: true } } } };\n",
      "src/one.js": "export const one = () => 1;\nexport const two = () => 2;\n",
      "tests/one.test.js":
        'import { one } from "../src/one.js";\ntest("one", () => { expect(one()).toBe(1); });\n',
    },
  ],
  [
    "node-test",
    true,
    {
      "package.json":
        '{ "scripts": { "test": "c8 --check-coverage --lines 100 node --test --experimental-test-coverage --test-coverage-functions=100" } }',
      ".c8rc.json": '{ "check-coverage": true, "lines": 100 }',
      ...modules,
      "tests/one.test.js":
        'const { test } = require("node:test");\nconst { one } = require("../src/one.js");\ntest("one", () => require("assert").equal(one(), 1));\n',
    },
  ],
  [
    "pytest",
    hasPytest,
    {
      "pytest.ini": "[pytest]\naddopts = -p likecov --cov=shop --cov-fail-under=90\npythonpath = .\n",
      "src/likecov.py": likePytestCov,
      "tests/test_one.py": "def test_one():\n    assert 1 == 1\n",
    },
  ],
])("%s", { tags: "ci", timeout: 60_000 }, async (runner, isHere, files) => {
  if (!isHere) return;
  const project = await proofProject(files, { modules: true });

  const { suite } = await project.own({ settings: { runner } });
  expect([suite.exitCode, suite.report.report, suite.report.tests.map(({ status }) => status)]).toEqual([
    0,
    true,
    ["passed"],
  ]);
});
