/** One RED diff for each violation, in JavaScript and in Python; the honest one passes. */
import { beforeAll, describe, expect } from "vitest";
import { proofProject, type ProofProject } from "../../../test/proof-project.ts";
import { inCi, verifies, verifiesInCi } from "../../../test/verifies.ts";

interface Language {
  readonly base: Readonly<Record<string, string>>;
  readonly runner: string;
  readonly unit: string;
  readonly file: string;
  readonly honest: string;
  /** What is wrong -> added text, the check that fails, and what its reason names. */
  readonly wrong: Readonly<Record<string, readonly [added: string, check: string, named: RegExp]>>;
}

const script = `import test from "node:test";
import assert from "node:assert/strict";
import { total } from "../src/cart.js";
test("FR1 adds", () => assert.equal(total(2, 3), 5));
`;
const python = `import unittest
from unittest.mock import patch
import pytest
from cart import total

class TestCart(unittest.TestCase):
    def test_fr1_adds(self):
        self.assertEqual(total(2, 3), 5)
`;

const languages: Readonly<Record<string, Language>> = {
  JavaScript: {
    base: { "package.json": '{ "type": "module" }\n', "src/cart.js": "export const other = 1;\n" },
    runner: "node:test",
    unit: "src/cart.js",
    file: "tests/cart.test.js",
    honest: script,
    wrong: {
      "a duplicate name": [
        'test("FR1 adds", () => assert.equal(total(1, 1), 2));\n',
        "unique",
        /cart\.test\.js::FR1 adds#2/,
      ],
      skip: [
        'test.skip("later", () => assert.equal(total(1, 1), 2));\n',
        "no_skip",
        /tests\/cart\.test\.js:5: test\.skip/,
      ],
      todo: ['test.todo("later");\n', "no_skip", /tests\/cart\.test\.js:5: test\.todo/],
      only: [
        'test.only("alone", () => assert.equal(total(1, 1), 2));\n',
        "no_skip",
        /tests\/cart\.test\.js:5: test\.only/,
      ],
      "no assertion": [
        'test("runs", () => { total(1, 1); });\n',
        "asserts",
        /tests\/cart\.test\.js:5: "runs" asserts nothing/,
      ],
      "a mock of the unit": [
        'test("is mocked", (t) => { t.mock.module("../src/cart.js", {}); assert.equal(total(1, 1), 2); });\n',
        "mocks",
        /tests\/cart\.test\.js:5: \.\.\/src\/cart\.js/,
      ],
    },
  },
  Python: {
    base: { "cart.py": "other = 1\n", "tests/__init__.py": "" },
    runner: "pytest",
    unit: "cart.py",
    file: "tests/test_cart.py",
    honest: python,
    wrong: {
      "a duplicate name": [
        "\n    def test_fr1_adds(self):\n        self.assertEqual(total(1, 1), 2)\n",
        "unique",
        /tests\/test_cart\.py:7: test_fr1_adds/,
      ],
      skip: [
        "\n    @unittest.skip('later')\n    def test_later(self):\n        self.assertEqual(total(1, 1), 2)\n",
        "no_skip",
        /tests\/test_cart\.py:10: @unittest\.skip/,
      ],
      xfail: [
        "\n@pytest.mark.xfail\ndef test_hopes():\n    assert total(1, 1) == 2\n",
        "no_skip",
        /tests\/test_cart\.py:10: mark\.xfail/,
      ],
      "an ignored file": [
        "\ncollect_ignore = ['test_cart.py']\n",
        "no_skip",
        /tests\/test_cart\.py:10: collect_ignore/,
      ],
      "no assertion": [
        "\n    def test_runs(self):\n        total(1, 1)\n",
        "asserts",
        /tests\/test_cart\.py:10: "test_runs" asserts nothing/,
      ],
      "a mock of the unit": [
        "\n    @patch('cart.total')\n    def test_mocked(self, _total):\n        self.assertEqual(total(1, 1), 2)\n",
        "mocks",
        /tests\/test_cart\.py:10: cart\.total/,
      ],
    },
  },
};

for (const [name, language] of Object.entries(languages)) {
  const cite = name === "JavaScript" ? verifies : verifiesInCi;
  describe(`a RED diff in ${name}`, () => {
    let project: ProofProject;
    beforeAll(async () => {
      project = await proofProject(language.base);
    });
    const red = async (files: Readonly<Record<string, string>>, criteria = ["FR1"]) => {
      const settings = { runner: language.runner, paths: { tests: ["tests/"], source: ["src/", "*.py"] } };
      const head = await project.commitOn(project.base, files);
      const { verdict } = await project.red(head, { settings, criteria, planned: [language.unit] });
      return verdict.checks.filter((check) => check.verdict !== "pass");
    };

    cite("CORE-24", "with a path, criterion, name, mark or test that is not allowed is refused", async () => {
      const { file, honest, unit, wrong } = language;
      expect(await red({ [file]: honest })).toEqual([]);
      const outside = await red({ [file]: honest, [unit]: "" });
      expect(outside.find(({ name: check }) => check === "paths")?.reason).toContain(`also changed: ${unit}`);
      const without = await red({ [file]: honest }, ["FR1", "FR9"]);
      expect(without.map(({ name: check, reason }) => `${check}: ${reason}`)).toEqual([
        "criteria: no new test for FR9; put the id into the title of its test",
      ]);
      const added = Object.values(wrong).map(([text]) => text);
      const together = await red({ [file]: [honest, ...added].join("") });
      for (const [what, [, check]] of Object.entries(wrong))
        expect(
          together.map((one) => one.name),
          what,
        ).toContain(check);
    });

    inCi("each of these alone is refused by its check", async () => {
      const { file, honest, wrong } = language;
      for (const [what, [added, check, named]] of Object.entries(wrong)) {
        const found = await red({ [file]: `${honest}${added}` });
        const reason = found.find((one) => one.name === check)?.reason ?? "none";
        expect(`${what}: ${reason}`).toMatch(named);
      }
    });
  });
}
