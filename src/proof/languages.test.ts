/** RED and GREEN end to end in each language besides JavaScript, in its own repository. */
import { expect, test } from "vitest";
import { proofProject, type ProofProject } from "../../test/proof-project.ts";
import { wide } from "../../test/wide.ts";
import { programOf } from "../evidence/fixtures/run-native.ts";
import { cargo } from "../evidence/runners/cargo.ts";
import { go } from "../evidence/runners/go.ts";
import { pytest } from "../evidence/runners/pytest.ts";
import { unittest } from "../evidence/runners/unittest.ts";
import type { Runner } from "../evidence/runner.ts";
import type { PathRules } from "../source/paths.ts";
import type { Verdict } from "../gates/verdict.ts";
import { failedChecks } from "../../test/support/failed-checks.ts";

interface Story {
  readonly runner: Runner;
  /** Compiles, or loads the machine's plugins: too slow for every day. */
  readonly wide: boolean;
  readonly paths: PathRules;
  readonly base: Readonly<Record<string, string>>;
  readonly planned: readonly string[];
  readonly tests: Readonly<Record<string, string>>;
  readonly required: readonly string[];
  readonly honest: Readonly<Record<string, string>>;
  /** A wrong implementation, and tests changed to suit it. */
  readonly cheat: Readonly<Record<string, string>>;
  readonly refused: string;
  /** The message about the cheat's change. */
  readonly frozen: string;
}

const pythonBase = { "shop/__init__.py": "", "shop/old.py": "def old():\n    return 1\n" };
const pythonGood = { "shop/cart.py": "def total(prices):\n    return sum(prices)\n" };
const pythonBad = { "shop/cart.py": "def total(prices):\n    return len(prices)\n" };

/** Inline tests are in a file that the coder may change. */
const rustInside =
  "#[cfg(test)]\nmod tests {\n    #[test]\n    fn inside() { assert_eq!(super::old(), 1); }\n}\n";

const stories: readonly Story[] = [
  {
    runner: unittest,
    wide: false,
    paths: { tests: ["tests/"], source: ["shop/"] },
    base: {
      ...pythonBase,
      "tests/test_old.py":
        "import unittest\nfrom shop.old import old\n\nclass Old(unittest.TestCase):\n    def test_old(self):\n        self.assertEqual(old(), 1)\n",
    },
    planned: ["shop/cart.py"],
    tests: {
      "tests/test_cart.py":
        "import unittest\nfrom shop import cart\n\nclass Cart(unittest.TestCase):\n    def test_fr1_adds(self):\n        self.assertEqual(cart.total([2, 3]), 5)\n\n    def test_ec1_is_empty(self):\n        self.assertEqual(cart.total([]), 0)\n",
    },
    required: ["tests/test_cart.py::Cart::test_ec1_is_empty", "tests/test_cart.py::Cart::test_fr1_adds"],
    honest: pythonGood,
    cheat: { ...pythonBad, "tests/test_cart.py": "import unittest\n" },
    refused: "tests/test_cart.py::Cart::test_fr1_adds",
    frozen: "changed tests/test_cart.py",
  },
  {
    runner: pytest,
    wide: true,
    paths: { tests: ["tests/"], source: ["shop/"] },
    base: {
      ...pythonBase,
      "pyproject.toml": "[tool.pytest.ini_options]\n",
      "tests/conftest.py": "import pytest\n\n@pytest.fixture\ndef prices():\n    return [2, 3]\n",
      "tests/test_old.py": "from shop.old import old\n\ndef test_old():\n    assert old() == 1\n",
    },
    planned: ["shop/cart.py"],
    tests: {
      "tests/test_cart.py":
        "from shop.cart import total\n\ndef test_fr1_adds(prices):\n    assert total(prices) == 5\n\ndef test_ec1_is_empty():\n    assert total([]) == 0\n",
    },
    required: ["tests/test_cart.py::test_fr1_adds", "tests/test_cart.py::test_ec1_is_empty"],
    honest: pythonGood,
    cheat: {
      ...pythonBad,
      "tests/conftest.py": "import pytest\n\n@pytest.fixture\ndef prices():\n    return [1, 1, 1, 1, 1]\n",
    },
    refused: "tests/test_cart.py::test_fr1_adds",
    frozen: "changed tests/conftest.py",
  },
  {
    runner: go,
    wide: true,
    paths: { tests: ["**/*_test.go"], source: ["**/*.go"] },
    base: {
      "go.mod": "module example.com/shop\n\ngo 1.18\n",
      "cart/old.go": "package cart\n\nfunc Old() int { return 1 }\n",
      "cart/old_test.go":
        'package cart\n\nimport "testing"\n\nfunc TestOld(t *testing.T) {\n\tif Old() != 1 {\n\t\tt.Error("old")\n\t}\n}\n',
    },
    planned: ["cart/cart.go"],
    tests: {
      "cart/cart_test.go":
        'package cart_test\n\nimport (\n\t"testing"\n\n\t"example.com/shop/cart"\n)\n\nfunc TestFR1Adds(t *testing.T) {\n\tif got := cart.Total([]int{2, 3}); got != 5 {\n\t\tt.Errorf("got %v", got)\n\t}\n}\n\nfunc TestEC1IsEmpty(t *testing.T) {\n\tif cart.Total(nil) != 0 {\n\t\tt.Error("not empty")\n\t}\n}\n',
    },
    required: ["cart/cart_test.go::TestFR1Adds", "cart/cart_test.go::TestEC1IsEmpty"],
    honest: {
      "cart/cart.go":
        "package cart\n\nfunc Total(prices []int) (sum int) {\n\tfor _, price := range prices {\n\t\tsum += price\n\t}\n\treturn sum\n}\n",
    },
    cheat: {
      "cart/cart.go": "package cart\n\nfunc Total(prices []int) int { return len(prices) }\n",
      "cart/cart_test.go": "package cart_test\n",
    },
    refused: "cart/cart_test.go::TestFR1Adds",
    frozen: "changed cart/cart_test.go",
  },
  {
    runner: cargo,
    wide: true,
    paths: { tests: ["tests/"], source: ["src/"] },
    base: {
      "Cargo.toml": '[package]\nname = "my-shop"\nversion = "0.1.0"\nedition = "2021"\n',
      "src/lib.rs": `pub fn old() -> i32 { 1 }\n${rustInside}`,
      "tests/old.rs": "#[test]\nfn old() { assert_eq!(my_shop::old(), 1); }\n",
    },
    planned: ["src/cart.rs", "src/lib.rs"],
    tests: {
      "tests/cart.rs":
        "use my_shop::cart::total;\n\n#[test]\nfn fr1_adds() {\n    assert_eq!(total(&[2, 3]), 5);\n}\n\n#[test]\nfn ec1_is_empty() {\n    assert_eq!(total(&[]), 0);\n}\n",
    },
    required: ["tests/cart.rs::ec1_is_empty", "tests/cart.rs::fr1_adds"],
    honest: {
      "src/lib.rs": `pub mod cart;\npub fn old() -> i32 { 1 }\n${rustInside}`,
      "src/cart.rs": "pub fn total(prices: &[i32]) -> i32 { prices.iter().sum() }\n",
    },
    cheat: {
      "src/lib.rs": `pub mod cart;\npub fn old() -> i32 { 1 }\n${rustInside.replace("old()", "old() - 0")}`,
      "src/cart.rs": "pub fn total(prices: &[i32]) -> i32 { prices.len() as i32 }\n",
      "tests/cart.rs": "#[test]\nfn fr1_adds() {}\n",
    },
    refused: "tests/cart.rs::fr1_adds",
    frozen: "changed tests/cart.rs, changed the tests inside src/lib.rs",
  },
];

let project: ProofProject | undefined;

function reasonOf(verdict: Verdict, name: string): string | undefined {
  return verdict.checks.find((check) => check.name === name)?.reason;
}

for (const story of stories) {
  const program = await programOf(story.runner);
  test.skipIf(program === null || (story.wide && !wide))(
    `${story.runner.name}: an honest RED and GREEN pass, a failing and an edited test are refused`,
    { tags: "ci", timeout: 180_000 },
    async () => {
      project = await proofProject(story.base);
      const settings = { paths: story.paths };
      const red = await project.commitOn(project.base, story.tests);
      const first = await project.red(red, {
        settings,
        planned: story.planned,
        criteria: ["FR1", "EC1"],
      });
      expect(failedChecks(first.verdict)).toEqual([]);
      expect(first.required.toSorted()).toEqual(story.required.toSorted());
      expect(first.tests.filter(({ id }) => story.required.includes(id)).map(({ kind }) => kind)).toEqual([
        "not-implemented",
        "not-implemented",
      ]);
      expect(first.verdict.findings.map(({ code }) => code)).toContain("stubbed");
      expect(first.drafts.find(({ purpose }) => purpose === "red.tests")?.argv[0]).toBe(program?.path);

      const required = first.required;
      const good = await project.commitOn(red, story.honest);
      const green = await project.green({ red, head: good, required, settings });
      expect(failedChecks(green.verdict)).toEqual([]);
      expect(green.drafts.at(-1)?.controls["canary"]).toBe("failed as it must");

      const bad = await project.commitOn(red, story.cheat);
      const cheated = await project.green({ red, head: bad, required, settings });
      const failures = failedChecks(cheated.verdict).map((line) => line.split(":")[0]);
      expect(failures).toEqual(["fail frozen", "fail paths", "fail required"]);
      expect(reasonOf(cheated.verdict, "frozen")).toContain(story.frozen);
      expect(cheated.verdict.checks.find(({ name }) => name === "required")?.tests).toContain(story.refused);
    },
  );
}
