/** A developer's first test fails by an error more often than by an assertion: which errors are RED (faults R4, E24). */
import { describe, expect, test } from "vitest";
import { proofProject, type ProofProject } from "../../test/proof-project.ts";
import { refusalReasons, otherFailures } from "../../test/red-answers.ts";
import { wide } from "../../test/wide.ts";
import { programOf } from "../evidence/fixtures/run-native.ts";
import { pytest } from "../evidence/runners/pytest.ts";
import { unittest } from "../evidence/runners/unittest.ts";

const projects: ProofProject[] = [];

async function world(files: Readonly<Record<string, string>>, modules = false): Promise<ProofProject> {
  const project = await proofProject(files, { modules });
  projects.push(project);
  return project;
}

/** In the style of express and commander. */
const commonjs = {
  "package.json": "{}\n",
  "index.js": "'use strict';\nmodule.exports = require('./src/app');\n",
  "src/app.js": `'use strict';
var proto = require('./application');
exports = module.exports = createApplication;
function createApplication() {
  var app = function () {};
  Object.assign(app, proto);
  app.init();
  return app;
}
exports.version = 1;
`,
  "src/application.js": `'use strict';
var app = exports = module.exports = {};
app.init = function init() { this.settings = {}; };
`,
  "src/utils.js": `'use strict';
exports.etag = function (body) { return '"' + body.length + '"'; };
exports.parse = function () {};
exports.words = function (text) { return text.split(' '); };
`,
  "src/command.js": `class Command {
  #name = 'git';
  name() { return this.#name; }
}
exports.Command = Command;
exports.program = new Command();
`,
  "src/other.js": "exports.one = 1;\n",
};
const planned = ["src/utils.js", "src/command.js", "src/application.js", "src/app.js"];
const tests = `const express = require('../');
const utils = require('../src/utils');
const { Command, program } = require('../src/command');
const other = require('../src/other');
const helper = require('./helper');
const atTop = utils.etag('loads');
TEST('missing member', () => { SAME(utils.isWeakETag('W/"1"'), true); });
TEST('through the index', () => { SAME(express.json5(), 1); });
TEST('missing method of a class', () => { SAME(new Command().alias('g'), 'g'); });
TEST('missing method of an object', () => { SAME(program.alias('g'), 'g'); });
TEST('missing method of what it makes', () => { const app = express(); SAME(app.query('x'), 1); });
TEST('undefined cannot be taken apart', () => { const { a } = utils.parse('a'); SAME(a, 1); });
TEST('crash of the unit', () => { SAME(utils.words(null), []); });
TEST('awaits it', async () => { await null; SAME((await utils.load()).x, 1); });
TEST('typo in a helper', () => { utils.etag('a'); helper.makee(); SAME(utils.etag('a'), 'b'); });
TEST('unknown name', () => { utils.etag('a'); asert(false); SAME(1, 2); });
TEST('throws by itself', () => { SAME(1, 1); throw new Error('boom'); });
TEST('own marker', () => { SAME(1, 1); throw new Error('not implemented: own'); });
TEST('member of another module', () => { SAME(other.two(), 2); });
`;
const refused = {
  "typo in a helper": expect.stringMatching(
    /^throws in the test itself at .*: helper\.makee is not a function/,
  ),
  "unknown name": expect.stringMatching(/^uses an undefined name at .*: asert is not defined/),
  "throws by itself": expect.stringMatching(/^throws in the test itself at .*: boom/),
  "own marker": expect.stringMatching(/^throws its own not-implemented marker at/),
  "member of another module": expect.stringMatching(
    /^throws in the test itself at .*: other\.two is not a function/,
  ),
};

const prelude: Readonly<Record<string, readonly [test: string, same: string, head: string]>> = {
  "node:test": [
    "test",
    "assert.deepEqual",
    "const test = require('node:test');\nconst assert = require('node:assert/strict');\n",
  ],
  mocha: ["it", "assert.deepEqual", "const assert = require('node:assert');\n"],
  jest: ["test", "same", "const same = (one, two) => expect(one).toEqual(two);\n"],
};

// Slow to start, and decided by the same stack as the others.
const daily = (runner: string) => wide || !["jest", "pytest"].includes(runner);

describe.each(Object.entries(prelude))("%s, CommonJS", (runner, [call, same, head]) => {
  test.skipIf(!daily(runner))(
    "errors of the planned unit's making are RED, a test's own are not",
    { tags: "ci", timeout: 90_000 },
    async () => {
      const project = await world(commonjs, runner !== "node:test");
      const text = tests.replaceAll("TEST(", `${call}(`).replaceAll("SAME(", `${same}(`);
      const head_ = await project.commitOn(project.base, {
        "tests/helper.js": "exports.make = () => 1;\n",
        "tests/new.test.js": `${head}${text}`,
      });
      const settings = { runner, paths: { tests: ["tests/"], source: ["src/", "index.js"] } };
      const red = await project.red(head_, { settings, planned });
      expect(refusalReasons(red)).toEqual({
        "missing member": null,
        "through the index": null,
        "missing method of a class": null,
        "missing method of an object": null,
        "missing method of what it makes": null,
        "undefined cannot be taken apart": null,
        "crash of the unit": null,
        "awaits it": null,
        ...refused,
      });
      expect(otherFailures(red)).toEqual([]);
    },
  );
});

/** Function declarations, constants, classes, a default, a list, and an index that re-exports them. */
const modules = {
  "package.json": '{ "type": "module" }\n',
  "src/index.js": "export * from './money.js';\nexport { default as Cart } from './cart.js';\n",
  "src/money.js": `export function round(n) { return Math.round(n); }
export const parse = (text) => undefined;
export const { low, high } = { low: () => 1, high: () => 2 };
const hidden = (text) => text.trim();
export { hidden as trim };
`,
  "src/cart.js":
    "export default class Cart {\n  #items = [];\n  add(item) { this.#items.push(item); return this; }\n}\n",
  "src/table.js": "export default { rows: () => [] };\n",
  "src/other.js": "export const one = () => 1;\n",
};
const moduleTests = `import * as money from '../src/money.js';
import { Cart, convert } from '../src/index.js';
import table from '../src/table.js';
import * as helper from './helper.js';
const atTop = money.round(1.5) + new Cart().add(1).toString();
test('missing export', () => { SAME(money.format(1), '1.00'); });
test('through the index', () => { SAME(convert(1), 2); });
test('missing method of a class', () => { SAME(new Cart().total(), 0); });
test('member of a default', () => { SAME(table.columns(), []); });
test('undefined cannot be taken apart', () => { const [a] = money.parse('a'); SAME(a, 1); });
test('result of a constant', () => { SAME(money.low().cents, 1); SAME(money.low().a.b, 1); });
test('crash of the unit', () => { SAME(money.trim(null), ''); });
test('typo in a helper', () => { money.round(1); helper.makee(); SAME(money.round(1), 2); });
test('unknown name', () => { money.round(1); asert(false); SAME(1, 2); });
test('throws by itself', () => { SAME(1, 1); throw new Error('boom'); });
`;

describe.each([
  [
    "node:test",
    "assert.deepEqual",
    'import test from "node:test";\nimport assert from "node:assert/strict";\n',
  ],
  [
    "vitest",
    "same",
    'import { test, expect } from "vitest";\nconst same = (one, two) => expect(one).toEqual(two);\n',
  ],
])("%s, modules", (runner, same, head) => {
  inCi("errors caused by the planned unit are RED, a test's own errors are not", async () => {
    const project = await world(modules, runner !== "node:test");
    const commit = await project.commitOn(project.base, {
      "tests/helper.js": "export const make = () => 1;\n",
      "tests/new.test.js": `${head}${moduleTests.replaceAll("SAME(", `${same}(`)}`,
    });
    const settings = { runner, paths: { tests: ["tests/"], source: ["src/"] } };
    const red = await project.red(commit, {
      settings,
      planned: ["src/money.js", "src/cart.js", "src/table.js"],
    });
    expect(refusalReasons(red)).toEqual({
      "missing export": null,
      "through the index": null,
      "missing method of a class": null,
      "member of a default": null,
      "undefined cannot be taken apart": null,
      "result of a constant": null,
      "crash of the unit": null,
      "typo in a helper": expect.stringMatching(/^throws in the test itself at .*makee/),
      "unknown name": expect.stringMatching(/^uses an undefined name at .*asert/),
      "throws by itself": expect.stringMatching(/^throws in the test itself at .*boom/),
    });
    expect(otherFailures(red)).toEqual([]);
  });
});

const python = {
  "shop/__init__.py": "from .more import *\nfrom .recipes import take\n",
  "shop/more.py": `__all__ = ["chunked", "pair"]

def chunked(items, size):
    return [items[at : at + size] for at in range(0, len(items), size)]

def pair(items):
    return None

class Peekable:
    def __init__(self, items):
        self.items = items

    @classmethod
    def empty(cls):
        return cls([])

LIMIT = 5
`,
  "shop/recipes.py": "def take(count, items):\n    return list(items)[:count]\n",
};
const pythonTests = `import unittest
import shop as mi
from shop import triplewise
from shop.more import Peekable
from shop import more
from . import helper

AT_TOP = mi.chunked([1, 2, 3], 2)

class New(unittest.TestCase):
    def test_missing_function(self):
        self.assertEqual(mi.windowed([1], 1), [(1,)])

    def test_through_the_index(self):
        self.assertEqual(triplewise([1]), [])

    def test_missing_argument(self):
        self.assertEqual(mi.chunked([1], 1, strict=True), [[1]])

    def test_none_cannot_be_unpacked(self):
        one, two = mi.pair([1, 2])
        self.assertEqual(one, 1)

    def test_missing_method(self):
        self.assertEqual(Peekable([1]).peek(), 1)

    def test_missing_class_method(self):
        self.assertEqual(Peekable.of(1), 1)

    def test_missing_member(self):
        self.assertEqual(more.nothing, 1)

    def test_crash_of_the_unit(self):
        self.assertEqual(more.chunked([1], 0), [])

    def test_typo_in_a_helper(self):
        mi.chunked([], 1)
        helper.makee()
        self.assertEqual(mi.chunked([], 1), 1)

    def test_unknown_name(self):
        mi.chunked([], 1)
        self.assertEqual(asert, 1)

    def test_raises_by_itself(self):
        self.assertEqual(1, 1)
        raise ValueError("boom")

    def test_own_marker(self):
        self.assertEqual(1, 1)
        raise NotImplementedError("own")

    def test_member_of_another_module(self):
        import shop.recipes
        self.assertEqual(shop.recipes.drop(1), 1)
`;
import { inCi } from "../../test/verifies.ts";

for (const runner of [unittest, pytest]) {
  const isHere = (await programOf(runner)) !== null;
  test.skipIf(!isHere || !daily(runner.name))(
    `${runner.name}: errors of the planned unit's making are RED, a test's own are not`,
    { tags: "ci", timeout: 90_000 },
    async () => {
      const project = await world(python);
      const commit = await project.commitOn(project.base, {
        "tests/__init__.py": "",
        "tests/helper.py": "def make():\n    return 1\n",
        "tests/test_new.py": pythonTests,
      });
      const settings = { runner: runner.name, paths: { tests: ["tests/"], source: ["shop/"] } };
      const red = await project.red(commit, { settings, planned: ["shop/more.py"] });
      const refusals = refusalReasons(red);
      expect(
        Object.entries(refusals)
          .filter(([, why]) => why === null)
          .map(([name]) => name)
          .toSorted(),
      ).toEqual([
        "test_crash_of_the_unit",
        "test_missing_argument",
        "test_missing_class_method",
        "test_missing_function",
        "test_missing_member",
        "test_missing_method",
        "test_none_cannot_be_unpacked",
        "test_through_the_index",
      ]);
      expect(refusals["test_unknown_name"]).toMatch(/^uses an undefined name at .*asert/);
      expect(refusals["test_own_marker"]).toMatch(/^throws its own not-implemented marker/);
      expect(otherFailures(red)).toEqual([]);
    },
  );
}

inCi("the project's build output is built again after the check changes the source", async () => {
  const project = await world({
    "package.json": '{ "scripts": { "test": "node --test tests/*.test.js" } }\n',
    "build.js": `const { mkdirSync, readFileSync, writeFileSync } = require("node:fs");
mkdirSync("dist", { recursive: true });
writeFileSync("dist/list.js", readFileSync("src/list.js", "utf8"));
`,
    "src/list.js": "exports.first = (list) => list[0];\n",
    "tests/list.test.js":
      'const test = require("node:test");\nconst assert = require("node:assert");\nconst list = require("../dist/list.js");\ntest("first", () => assert.equal(list.first([1]), 1));\n',
  });
  const head = await project.commitOn(project.base, {
    "tests/last.test.js":
      'const test = require("node:test");\nconst assert = require("node:assert");\nconst list = require("../dist/list.js");\ntest("last", () => assert.equal(list.last([1, 2]), 2));\n',
  });
  const red = await project.red(head, {
    settings: { runner: "node:test", paths: { tests: ["tests/"], source: ["src/"] } },
    ports: { ...project.ports, tests: { prepare: ["node build.js"], network: true } },
    planned: ["src/list.js"],
  });
  expect(red.verdict.checks.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
  expect(red.required).toEqual(["tests/last.test.js::last"]);
});
