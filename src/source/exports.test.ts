import { expect, test } from "vitest";
import { exportsOf } from "./exports.ts";
import { loadParser } from "./syntax.ts";

const parse = await loadParser();
const read = (path: string, text: string) => {
  const found = exportsOf(path, text, parse);
  return found === null ? null : [found.format, [...found.names].toSorted(), found.from];
};

test.each([
  [
    "esm",
    "a.ts",
    'export { x as y, type T };\nexport * as all from "./b";\nexport * from "./c";\nlet x = 1; type T = 1;\nexport enum E { A }\nexport const { a, b: [c] } = x;\nexport default x;',
    ["E", "T", "a", "all", "c", "default", "y"],
    ["./c"],
  ],
  [
    "cjs",
    "a.js",
    'if (x) exports.a = 1;\nmodule.exports.b = () => exports.c = 2;\nmodule.exports = { d, e() {}, "f": 1, [g]: 2 };',
    ["a", "b", "c", "d", "default", "e", "f"],
    [],
  ],
  ["cjs", "a.js", "Object.assign(exports, make());", ["default"], []],
  ["none", "a.js", "shop.exports = 1; const o = { exports: 2 };", [], []],
  [
    "esm",
    "flow.js",
    "// @flow\nexport type A = {| b: ?string |};\nexport const a = (b: ?A): A => b;",
    ["A", "a"],
    [],
  ],
  ["esm", "text.js", 'export const a = "export const no = 1"; // export const never = 1', ["a"], []],
] as const)("%s exports of %s: %s", (format, path, text, names, from) => {
  expect(read(path, text)).toEqual([format, names, from]);
});

test("a text that is not a program has no known exports", () => {
  expect([read("a.js", "export const = 1"), read("a.css", "export const a = 1")]).toEqual([null, null]);
});
