import { expect, test } from "vitest";
import { canarySource } from "./canary-source.ts";

const script = `import { test, expect } from "vitest";
import { cart } from "../src/cart.js";
test("FR1 keeps the total of a cart", () => { expect(cart(3)).toBe(7); });
`;
const python = "from cart import total\ndef test_total_of_nothing():\n    assert total([]) == 0\n";
const go =
  'package cart\nimport "testing"\nfunc TestTotal(t *testing.T) { if Total() != 1 { t.Error("no") } }\n';

const drawn = (runner: string, file: string, text: string) => {
  const made = canarySource(runner, { file, text, beside: new Set() });
  if (made === null) throw new Error(`no canary for ${runner}`);
  return made;
};

test.each([
  ["vitest", "test/my-cart.test.ts", script, /^[a-z]+-[a-z]+\d+\.test\.ts$/u],
  ["jest", "src/cart.spec.jsx", script, /^[a-z]+-[a-z]+\d+\.spec\.jsx$/u],
  ["mocha", "test/test.js", script, /^[a-z]+-[a-z]+\d+\.test\.js$/u],
  ["node:test", "test/cart-test.mjs", script, /^[a-z]+-[a-z]+\d+-test\.mjs$/u],
  ["pytest", "tests/test_cart.py", python, /^test_[a-z]+_[a-z]+\d+\.py$/u],
  ["unittest", "tests/cart_test.py", python, /^[a-z]+_[a-z]+\d+_test\.py$/u],
  ["go", "cart_linux_test.go", go, /^[a-z]+_[a-z]+\d+_test\.go$/u],
  ["cargo", "tests/cart.rs", "#[test] fn total() { assert_eq!(1, 1); }", /^[a-z]+_[a-z]+\d+\.rs$/u],
] as const)(
  "a canary of %s beside %s has a name in the project's style, different each time",
  (runner, file, text, name) => {
    const all = Array.from({ length: 30 }, () => drawn(runner, file, text));
    for (const one of all) {
      expect(one.name).toMatch(name);
      expect(`${one.name}\n${one.content}`).not.toMatch(/mettle|canary/iu);
      expect(new Set(one.titles).size).toBe(one.titles.length);
      for (const title of one.titles) {
        expect(one.content).toContain(title);
        expect(text).not.toContain(title);
      }
    }
    const distinct = (values: readonly unknown[]) => new Set(values).size;
    expect(distinct(all.map((one) => one.name))).toBeGreaterThan(20);
    expect(distinct(all.map((one) => one.titles.join()))).toBe(30);
    expect(distinct(all.map((one) => one.content.replace(/\D+/gu, " ")))).toBeGreaterThan(20);
  },
);
