/** Layouts of the repositories that people have, each with the place where a change puts its source and its test (SEE-10). */
import { act, answers, reviews } from "../orchestrate/turns.ts";
import { golden, type CassetteFile } from "../orchestrate/world.ts";

export interface Layout {
  /** The committed files, without any setting of Mettle. */
  readonly files: Readonly<Record<string, string>>;
  readonly source: string;
  readonly test: string;
  /** How the test names the source. */
  readonly from: string;
  /** What init says about the source, before "every file that…". */
  readonly says: string;
}

export type Language = "script" | "python" | "go";

const manifest = (more = "") =>
  `{ "name": "shop", "private": true, "type": "module", "scripts": { "test": "node --test" }${more} }\n`;
const module = "export const cart = [];\n";
const old = (from: string) =>
  `import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { cart } from "${from}";\n\ntest("a cart is empty", () => {\n  assert.deepEqual(cart, []);\n});\n`;
const pyModule = "def cart():\n    return []\n";
const pyOld = (from: string) =>
  `import unittest\nfrom ${from} import cart\n\n\nclass Cart(unittest.TestCase):\n    def test_a_cart_is_empty(self):\n        self.assertEqual(cart(), [])\n`;

export const layouts: Readonly<Record<string, Layout>> = {
  "a package with src and test": {
    files: { "package.json": manifest(), "src/cart.js": module, "test/cart.test.js": old("../src/cart.js") },
    source: "src/discount.js",
    test: "test/discount.test.js",
    from: "../src/discount.js",
    says: "",
  },
  "a package with src, and a new folder beside it": {
    files: { "package.json": manifest(), "src/cart.js": module, "src/cart.test.js": old("./cart.js") },
    source: "pricing/discount.js",
    test: "pricing/discount.test.js",
    from: "./discount.js",
    says: "",
  },
  "a library in lib, named by its manifest": {
    files: {
      "package.json": manifest(', "main": "./lib/cart.js"'),
      "lib/cart.js": module,
      "test/cart.test.js": old("../lib/cart.js"),
    },
    source: "lib/pricing/discount.js",
    test: "test/discount.test.js",
    from: "../lib/pricing/discount.js",
    says: "lib/, and ",
  },
  "modules beside the manifest, with test.js": {
    files: { "package.json": manifest(), "cart.js": module, "test.js": old("./cart.js") },
    source: "discount.js",
    test: "discount.test.js",
    from: "./discount.js",
    says: "**/*.{js,jsx,mjs,cjs}, and ",
  },
  "workspaces below packages": {
    files: {
      "package.json": manifest(', "workspaces": ["packages/*"]'),
      "packages/cart/package.json": manifest(),
      "packages/cart/src/cart.js": module,
      "packages/cart/test/cart.test.js": old("../src/cart.js"),
      "packages/web/package.json": manifest(),
      "packages/web/src/cart.js": module,
      "packages/web/test/cart.test.js": old("../src/cart.js"),
    },
    source: "packages/cart/pricing/discount.js",
    test: "packages/cart/test/discount.test.js",
    from: "../pricing/discount.js",
    says: "packages/*/src/, and ",
  },
  "a server and a client, without src": {
    files: {
      "package.json": manifest(),
      "server/cart.js": module,
      "server/cart.test.js": old("./cart.js"),
      "client/cart.js": module,
      "client/cart.test.js": old("./cart.js"),
    },
    source: "shared/discount.js",
    test: "shared/discount.test.js",
    from: "./discount.js",
    says: "**/*.{js,jsx,mjs,cjs}, and ",
  },
  "a Python package with tests": {
    files: {
      "pyproject.toml": '[project]\nname = "shop"\n',
      "shop/__init__.py": "",
      "shop/cart.py": pyModule,
      "tests/__init__.py": "",
      "tests/test_cart.py": pyOld("shop.cart"),
    },
    source: "shop/discount.py",
    test: "tests/test_discount.py",
    from: "shop.discount",
    says: "shop/, and ",
  },
  "a Python package below src": {
    files: {
      "pyproject.toml": '[project]\nname = "shop"\n',
      "src/shop/__init__.py": "",
      "src/shop/cart.py": pyModule,
      "tests/test_cart.py": pyOld("shop.cart"),
    },
    source: "src/shop/discount.py",
    test: "tests/test_discount.py",
    from: "shop.discount",
    says: "",
  },
  "Python scripts beside their tests": {
    files: { "cart.py": pyModule, "test_cart.py": pyOld("cart") },
    source: "discount.py",
    test: "test_discount.py",
    from: "discount",
    says: "**/*.py, and ",
  },
  "a Python package, and a new one beside it": {
    files: {
      "requirements.txt": "",
      "manage.py": "import shop.cart\n",
      "shop/__init__.py": "",
      "shop/cart.py": pyModule,
      "shop/tests/__init__.py": "",
      "shop/tests/test_cart.py": pyOld("shop.cart"),
    },
    source: "billing/discount.py",
    test: "billing/test_discount.py",
    from: "billing.discount",
    says: "shop/, *.py, and ",
  },
  "a Go module": {
    files: {
      "go.mod": "module example.com/shop\n\ngo 1.19\n",
      "cart.go": "package shop\n\nfunc Cart() []string { return nil }\n",
      "cart_test.go":
        'package shop\n\nimport "testing"\n\nfunc TestCart(t *testing.T) {\n\tif len(Cart()) != 0 {\n\t\tt.Fatal("not empty")\n\t}\n}\n',
    },
    source: "pricing/discount.go",
    test: "pricing/discount_test.go",
    from: "pricing",
    says: "**/*.go, and ",
  },
};

export function languageOf({ source }: Layout): Language {
  return source.endsWith(".py") ? "python" : source.endsWith(".go") ? "go" : "script";
}

const sources: Readonly<Record<Language, string>> = {
  script: `export function discount(total, percent) {
  if (percent < 0 || percent > 100) throw new RangeError("a percentage is from 0 to 100");
  return total - (total * percent) / 100;
}
`,
  python: `def discount(total, percent):
    if percent < 0 or percent > 100:
        raise ValueError("a percentage is from 0 to 100")
    return total - total * percent / 100
`,
  go: `package pricing

import "errors"

func Discount(total, percent int) (int, error) {
	if percent < 0 || percent > 100 {
		return 0, errors.New("a percentage is from 0 to 100")
	}
	return total - total*percent/100, nil
}
`,
};

function testsOf(layout: Layout): string {
  switch (languageOf(layout)) {
    case "script":
      return `import assert from "node:assert/strict";
import { test } from "node:test";
import { discount } from "${layout.from}";

test("FR1 takes a percentage off", () => {
  assert.equal(discount(200, 10), 180);
});

test("ERR1 refuses a percentage above 100", () => {
  assert.throws(() => discount(200, 101), RangeError);
});
`;
    case "python":
      return `import unittest

from ${layout.from} import discount


class Discount(unittest.TestCase):
    def test_fr1_takes_a_percentage_off(self):
        self.assertEqual(discount(200, 10), 180)

    def test_err1_refuses_a_percentage_above_100(self):
        with self.assertRaises(ValueError):
            discount(200, 101)
`;
    case "go":
      return `package pricing

import "testing"

func TestFR1TakesAPercentageOff(t *testing.T) {
	if got, _ := Discount(200, 10); got != 180 {
		t.Fatalf("got %d, want 180", got)
	}
}

func TestERR1RefusesAPercentageAbove100(t *testing.T) {
	if _, err := Discount(200, 101); err == nil {
		t.Fatal("want an error")
	}
}
`;
  }
}

const spec = `# Discount

## Overview
A discount on a total.

## Functional Requirements
- FR1: a percentage is taken off the total

## Inputs
A total and a percentage.

## Outputs
The reduced total.

## Edge Cases
none

## Error Handling
- ERR1: a percentage above 100 is an error

## Constraints
none

## Success Criteria
All tests pass.

## Out of Scope
none
`;

/** An honest team that adds the discount where the layout has it. */
export async function discountCassette(layout: Layout): Promise<CassetteFile> {
  const { roles, ...rest } = await golden();
  const architecture = `# Architecture

## File Structure
- \`${layout.source}\`: the function
- \`${layout.test}\`: its tests

## Interface
\`discount(total, percent)\`

## TDD Strategy
- FR1: takes a percentage off
- ERR1: refuses a percentage above 100
`;
  const [questions] = roles.intake;
  if (questions === undefined) throw new TypeError("the demo's intake asks first");
  const write = (path: string, text: string) => ({ write: { [path]: text } });
  return {
    ...rest,
    roles: {
      intake: [questions, act("WRITTEN", write(".claude/temp/spec.md", spec))],
      planner: [act("WRITTEN", write(".claude/temp/architecture.md", architecture))],
      tester: [act("RC", write(layout.test, testsOf(layout)))],
      coder: [act("GC", write(layout.source, sources[languageOf(layout)]))],
      gemini: [
        answers("VERDICT: APPROVED\nISSUES: none\nSUGGESTIONS: none"),
        answers("VERDICT: APPROVED\nCOVERAGE_CHECK: YES\nRED_PHASE_CHECK: YES\nISSUES: none"),
        answers(
          "VERDICT: APPROVED\nEXECUTION_CHECK: YES\nCODE_QUALITY: small\nSECURITY_ISSUES: none\nISSUES: none",
        ),
      ],
      claude: [
        reviews("plan-review.md", "APPROVED", "VERDICT: APPROVED\nISSUES: none\nSUGGESTIONS: none\n"),
        reviews(
          "test-review.md",
          "APPROVED",
          "VERDICT: APPROVED\nRED_PHASE_VALID: YES\nCOVERAGE:\n- FR1: covered\n- ERR1: covered\nISSUES: none\n",
        ),
        reviews(
          "code-review.md",
          "APPROVED",
          "VERDICT: APPROVED\nEXIT_CODE: 0\nCRITICAL_ISSUES: none\nWARNINGS: none\nSUGGESTIONS: none\n",
        ),
      ],
    },
  };
}
