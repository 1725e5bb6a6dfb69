import { expect, test } from "vitest";
import { canaryNames } from "./canary-names.ts";
import { canarySource } from "./canary-source.ts";

const script = `import { test, expect } from "vitest";
import { cart } from "../src/cart.js";
test("FR1 keeps the total of a cart", () => { expect(cart(3)).toBe(7); });
`;
const go =
  'package cart\nimport "testing"\nfunc TestTotal(t *testing.T) { if Total() != 1 { t.Error("no") } }\n';
const distinct = (values: readonly unknown[]) => new Set(values).size;

test.each([
  ["test/my-cart.test.ts", "-", /^[a-z]+-[a-z]+\d+\.test\.ts$/u],
  ["src/cart.spec.jsx", "-", /^[a-z]+-[a-z]+\d+\.spec\.jsx$/u],
  ["test/test.js", "-", /^[a-z]+-[a-z]+\d+\.test\.js$/u],
  ["tests/test_cart.py", "_", /^test_[a-z]+_[a-z]+\d+\.py$/u],
] as const)("names beside %s are in the style of its text, different each time", (file, joiner, name) => {
  const all = Array.from({ length: 30 }, () => canaryNames(file.replace(/.*\//u, ""), script, new Set()));
  const files = all.map((names) => names.file(joiner));
  for (const one of files) expect(one).toMatch(name);
  const titles = all.map((names) => names.title(" "));
  for (const one of titles) expect(script).not.toContain(one);
  expect([distinct(files) > 20, distinct(titles)]).toEqual([true, 30]);
});

const drawn = (runner: string, file: string, text: string) => {
  const made = canarySource(runner, { file, text, beside: new Set() });
  if (made === null) throw new Error(`no canary for ${runner}`);
  return made;
};

test.each([
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
    expect(distinct(all.map((one) => one.name))).toBeGreaterThan(20);
    expect(distinct(all.map((one) => one.titles.join()))).toBe(30);
    expect(distinct(all.map((one) => one.content.replace(/\D+/gu, " ")))).toBeGreaterThan(20);
  },
);
