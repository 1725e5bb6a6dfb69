/** Tricks of Python and Go source in GREEN. */
import { beforeAll, describe, expect, test } from "vitest";
import { proofProject, type ProofProject } from "../../test/proof-project.ts";
import { programOf } from "../evidence/fixtures/run-native.ts";
import { go } from "../evidence/runners/go.ts";
import { unittest } from "../evidence/runners/unittest.ts";
import { failedChecks } from "../../test/support/failed-checks.ts";

const [python, golang] = [await programOf(unittest), await programOf(go)];

describe.skipIf(python === null)("Python", { tags: "ci" }, () => {
  const settings = { paths: { tests: ["tests/"], source: ["shop/"] } };
  const required = ["tests/test_cart.py::Cart::test_fr1_adds"];
  let project: ProofProject;
  let red: string;
  beforeAll(async () => {
    project = await proofProject({ "shop/__init__.py": "", "unittest/__init__.py": "raise SystemExit(0)\n" });
    red = await project.commitOn(project.base, {
      "tests/test_cart.py":
        "from unittest import TestCase\nfrom shop.cart import total\n\nclass Cart(TestCase):\n    def test_fr1_adds(self):\n        self.assertEqual(total(2, 3), 5)\n",
    });
  });
  const green = async (files: Record<string, string>) =>
    project.green({ red, head: await project.commitOn(red, files), required, settings });

  test("the canary catches source that replaces assertions, and a module named like the runner is not loaded", async () => {
    const patch =
      "import unittest.case\nunittest.case.TestCase.assertEqual = lambda *_a, **_n: None\ndef total(*_a):\n    return 0\n";
    const { verdict } = await green({ "shop/cart.py": patch });
    expect(failedChecks(verdict)).toEqual([
      "fail canary: a false assertion passed after these tests ran, so their matchers are replaced: tests/test_cart.py",
    ]);
  });

  test("RED reports skip, expected failure, a test without assertion, a mock of the unit and a passing test, by file and line", async () => {
    const text = `import unittest
from unittest.mock import patch
from shop.cart import total

class Cart(unittest.TestCase):
    @unittest.skip("later")
    def test_fr1_adds(self):
        self.assertEqual(total(2, 3), 5)

    @unittest.expectedFailure
    def test_fr2_hopes(self):
        self.assertEqual(total(2, 3), 5)

    def test_fr3_says_nothing(self):
        total(2, 3)

    @patch("shop.cart.total")
    def test_fr4_replaces(self, _total):
        self.assertEqual(total(2, 3), 5)

    def test_fr5_is_true(self):
        self.assertTrue(True)
`;
    const head = await project.commitOn(project.base, { "tests/test_more.py": text });
    const { verdict } = await project.red(head, {
      settings,
      planned: ["shop/cart.py"],
      criteria: ["FR1", "FR9"],
    });
    expect(failedChecks(verdict)).toEqual([
      "fail fails: tests wrong, rewrite: 1 test passes before implementation: rewrite tests/test_more.py::Cart::test_fr5_is_true; a test that should pass already needs a comment with the reason, `passes already: REASON`; a person can accept it: mettle resume RUN --accept-test ID",
      "fail tautology: 1 test passes on units that return nothing, return their argument, and throw, so nothing the code does can fail it: tests/test_more.py::Cart::test_fr5_is_true; compare what the unit returns with the expected value; a person can accept it: mettle resume RUN --accept-test ID",
      "fail no_skip: no test may be hidden: tests/test_more.py:6: @unittest.skip; tests/test_more.py:10: @unittest.expectedFailure; tests/test_more.py::Cart::test_fr1_adds is skipped; tests/test_more.py::Cart::test_fr2_hopes is todo",
      'fail asserts: a test must assert something: tests/test_more.py:14: "test_fr3_says_nothing" asserts nothing; a test that must only not raise an error needs a comment with the reason, `must not raise: REASON`; a person can accept it: mettle resume RUN --accept-test ID',
      "fail mocks: a test must not replace the unit it tests: tests/test_more.py:17: shop.cart.total",
      'fail can_fail: 1 test cannot fail by its assertions: tests/test_more.py:22: "test_fr5_is_true": its assertion holds without the code; compare what the unit returns with a literal; a person can accept it: mettle resume RUN --accept-test ID',
      "fail criteria: no new test for FR9; put the id into the title of its test",
    ]);
  });

  test("source that ends the process early fails, even with exit code 0", async () => {
    const { verdict, drafts } = await green({ "shop/cart.py": "import os\nos._exit(0)\n" });
    expect(drafts.find(({ purpose }) => purpose === "green.tests")?.exitCode).toBe(0);
    expect(failedChecks(verdict)[0]).toMatch(/^fail required: early_exit: the code ends the process before/);
  });
});

const deep = process.env["METTLE_DEEP"] !== undefined;
describe.skipIf(golang === null || !deep)("Go", () => {
  const settings = { paths: { tests: ["**/*_test.go"], source: ["**/*.go"] } };
  const required = ["cart/cart_test.go::TestFR1Adds"];
  let project: ProofProject;
  let red: string;
  beforeAll(async () => {
    project = await proofProject({
      "go.mod": "module example.com/shop\n\ngo 1.18\n",
      "cart/doc.go": "package cart\n",
    });
    red = await project.commitOn(project.base, {
      "cart/cart_test.go":
        'package cart\n\nimport "testing"\n\nfunc TestFR1Adds(t *testing.T) {\n\tif Total(2, 3) != 5 {\n\t\tt.Error("no")\n\t}\n}\n',
    });
  });

  test("source that ends the process while it loads fails, even if go reports ok", async () => {
    const source =
      'package cart\n\nimport "os"\n\nfunc init() { os.Exit(0) }\n\nfunc Total(a, b int) int { return 0 }\n';
    const head = await project.commitOn(red, { "cart/cart.go": source });
    const { verdict } = await project.green({ red, head, required, settings });
    expect(failedChecks(verdict)[0]).toMatch(/^fail required: early_exit: the code ends the process before/);
  });
});
