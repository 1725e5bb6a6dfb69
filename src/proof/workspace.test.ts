/** One pnpm workspace with vitest, jest, node:test and pytest, from RED to the final proof; and the test ids of a small one. */
import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import { proofProject, type ProofProject } from "../../test/proof-project.ts";
import { verifiesWhen } from "../../test/verifies.ts";
import { wide } from "../../test/wide.ts";
import { programOf } from "../evidence/fixtures/run-native.ts";
import { pytest } from "../evidence/runners/pytest.ts";
import { unittest } from "../evidence/runners/unittest.ts";
import { detectPackages, pinned } from "./project/packages.ts";
import type { RecordDraft } from "./draft.ts";
import type { Verdict } from "../gates/verdict.ts";

const hasPytest = (await programOf(pytest)) !== null;
const hasUnittest = (await programOf(unittest)) !== null;
const settings = { paths: { tests: ["**/test/", "**/tests/"], source: ["**/src/", "report/shop/"] } };

const workspace = {
  "package.json": '{ "name": "shop", "private": true, "devDependencies": { "vitest": "4", "jest": "30" } }',
  "pnpm-workspace.yaml": "packages:\n  - packages/**\n",
  "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
  "packages/web/package.json": '{ "name": "web", "type": "module", "devDependencies": { "vitest": "4" } }',
  "packages/web/src/old.js": "export const old = () => 1;\n",
  "packages/web/test/old.test.js":
    'import { expect, test } from "vitest";\nimport { old } from "../src/old.js";\ntest("old", () => expect(old()).toBe(1));\n',
  // A nested package.
  "packages/web/plugin/package.json": '{ "name": "plugin", "type": "module" }',
  "packages/web/plugin/test/plugin.test.js":
    'import test from "node:test";\nimport assert from "node:assert";\ntest("plugin", () => assert.equal(1, 1));\n',
  "packages/api/package.json": '{ "name": "api", "dependencies": { "money": "workspace:*" } }',
  "packages/api/jest.config.js": "module.exports = {};\n",
  "packages/api/src/old.js": 'exports.old = () => require("money").old();\n',
  "packages/api/test/old.test.js":
    'const { old } = require("../src/old.js");\ntest("old", () => expect(old()).toBe(1));\n',
  "packages/money/package.json": '{ "name": "money", "main": "src/index.js" }',
  "packages/money/src/index.js": "exports.old = () => 1;\n",
  "report/pyproject.toml": "[tool.pytest.ini_options]\n",
  "report/shop/__init__.py": "",
  "report/shop/old.py": "def old():\n    return 1\n",
  "report/tests/test_old.py": "from shop.old import old\n\ndef test_old():\n    assert old() == 1\n",
};

const newTests = {
  "packages/web/test/cart.test.js":
    'import { expect, test } from "vitest";\nimport { cart } from "../src/cart.js";\ntest("FR1 counts", () => expect(cart([1])).toBe(1));\n',
  "packages/api/test/price.test.js":
    'const { price } = require("../src/price.js");\ntest("FR2 prices", () => expect(price(1)).toBe(100));\n',
  "report/tests/test_total.py":
    "from shop.total import total\n\ndef test_fr3_adds():\n    assert total([2, 3]) == 5\n",
};
const required = [
  "packages/web/test/cart.test.js::FR1 counts",
  "packages/api/test/price.test.js::FR2 prices",
  "report/tests/test_total.py::test_fr3_adds",
];
const planned = ["packages/web/src/cart.js", "packages/api/src/price.js", "report/shop/total.py"];
const source = {
  "packages/web/src/cart.js": "export const cart = (items) => items.length;\n",
  "packages/api/src/price.js": 'exports.price = (euros) => require("money").cents(euros);\n',
  "packages/money/src/index.js": "exports.old = () => 1;\nexports.cents = (euros) => euros * 100;\n",
  "report/shop/total.py": "def total(prices):\n    return sum(prices)\n",
};

let project: ProofProject;

async function createWorkspace(): Promise<void> {
  project = await proofProject(workspace);
  const { dir } = project.repo;
  const installed = join(import.meta.dirname, "../../node_modules");
  // As pnpm installs them: each package has its own dependencies, and members are links into the checkout.
  await link(join(installed, "vitest"), join(dir, "packages/web/node_modules/vitest"));
  await link(join(installed, "jest"), join(dir, "packages/api/node_modules/jest"));
  await link("../../money", join(dir, "packages/api/node_modules/money"));
}

async function link(target: string, place: string): Promise<void> {
  await mkdir(dirname(place), { recursive: true });
  await symlink(target, place);
}

function failed({ checks }: Verdict): readonly string[] {
  return checks.filter(({ verdict }) => verdict !== "pass").map(({ name, reason }) => `${name}: ${reason}`);
}

/** Purpose -> `packages/web vitest`, in the order of the packages. */
function runs(drafts: readonly RecordDraft[]): Readonly<Record<string, readonly string[]>> {
  const found: Record<string, string[]> = {};
  for (const { purpose, cwd, runner } of drafts.slice(0, -1))
    (found[purpose] ??= []).push(`${/\/tree\/?(.*)$/.exec(cwd)?.[1]} ${runner?.name}`);
  return found;
}

// Many programs, twenty seconds; detection in a workspace is tested daily in test/cli/packages.test.ts.
describe.skipIf(!wide)("a workspace of four runners", () => {
  beforeAll(createWorkspace);

  verifiesWhen(
    hasPytest,
    "pytest is not on this machine",
    "CORE-21",
    "each package of a workspace is proved by its own runner, under ids with its path; an unaffected one in the final proof",
    proved,
    180_000,
  );
});

verifiesWhen(
  hasUnittest,
  "python3 is not on this machine",
  "CORE-21",
  "test ids contain the path of their package, in every language",
  { tags: "ci", timeout: 60_000 },
  async () => {
    const small = await proofProject({
      "package.json": '{ "type": "module" }',
      "tests/a.test.js": 'import test from "node:test";\ntest("a", () => {});\n',
      "tool/pyproject.toml": "",
      "tool/tests/test_b.py":
        "import unittest\n\nclass B(unittest.TestCase):\n    def test_b(self):\n        pass\n",
    });

    const { suite } = await small.own();
    expect(suite.report.tests.map(({ id, status }) => `${status} ${id}`).toSorted()).toEqual([
      "passed tests/a.test.js::a",
      "passed tool/tests/test_b.py::B::test_b",
    ]);
  },
);

async function proved(): Promise<void> {
  const found = await detectPackages({ repository: project.repository, commit: project.base, settings });
  expect(pinned(found, settings)).toEqual({
    packages: {
      "packages/api": "jest",
      "packages/web": "vitest",
      "packages/web/plugin": "node:test",
      report: "pytest",
    },
  });

  const red = await project.commitOn(project.base, newTests);
  const first = await project.red(red, { settings, planned, criteria: ["FR1", "FR2", "FR3"] });
  expect(failed(first.verdict)).toEqual([]);
  expect(first.required.toSorted()).toEqual(required.toSorted());
  const concerned = ["report pytest", "packages/api jest", "packages/web vitest"];
  expect(runs(first.drafts)).toEqual({
    baseline: concerned,
    "red.tests": concerned,
    "red.repeat": concerned,
  });
  // Each run has a record with its own runner; the gate's record has their results and no single runner.
  const gate = first.drafts.at(-1);
  expect([gate?.runner, gate?.tests.length, gate?.observed]).toEqual([
    null,
    6,
    first.tests.map(({ id }) => id),
  ]);

  const head = await project.commitOn(red, source);
  const green = await project.green({ red, head, required: first.required, settings });
  expect(failed(green.verdict)).toEqual([]);
  // Any other package may use the changed package without a runner.
  const all = [...concerned, "packages/web/plugin node:test"];
  expect(runs(green.drafts)).toEqual({
    baseline: ["packages/web/plugin node:test"],
    "green.tests": all,
    "green.canary": concerned,
  });
  expect(green.drafts.at(-1)?.controls["canary"]).toBe("failed as it must");

  const cache = { get: async (key: string) => project.cached.get(key) ?? null, put: async () => undefined };
  const final = await project.final({ head, required: first.required, settings, cache });
  expect(failed(final.verdict)).toEqual([]);
  expect(runs(final.drafts)).toEqual({ "final.tests": all });
  expect(final.tests.map(({ id, status }) => `${status} ${id}`).toSorted()).toEqual(
    [
      "packages/api/test/old.test.js::old",
      "packages/web/plugin/test/plugin.test.js::plugin",
      "packages/web/test/old.test.js::old",
      "report/tests/test_old.py::test_old",
      ...required,
    ]
      .map((id) => `passed ${id}`)
      .toSorted(),
  );
}
