import { describe, expect, test } from "vitest";
import { interfaceDifference } from "../gates/node/interface-difference.ts";
import { exportedSymbols } from "./exported-symbols.ts";
import { loadParser } from "./syntax.ts";

const parse = await loadParser();

describe("the public interface of a file", () => {
  const files: Readonly<Record<string, readonly [string, readonly string[]]>> = {
    "src/a.js": [
      [
        "const hidden = (a) => a;",
        "export function add(a, b = 1, ...rest) { return hidden(a, b, rest); }",
        "export const twice = async (x) => x * 2;",
        "export const one = x => x;",
        "export const sum = (1 + 2);",
        "function later({ a, b }) {}",
        "export { later as renamed, later };",
        "export default class { run(a) { if (a) return (b) => b; } #own() {} static of(x) {} }",
        'export * from "./b.js";',
      ].join("\n"),
      [
        "* from ./b.js",
        "add(a, b = 1, ...rest)",
        "class default",
        "default.of(x)",
        "default.run(a)",
        "later({a,b})",
        "one(x)",
        "renamed({a,b})",
        "sum",
        "twice(x)",
      ],
    ],
    "src/a.ts": [
      "export function pad(text: string, size?: number): string { return text; }\nexport class Box<T> { constructor(value: T) {} get(key: Map<string, number>): T { return key; } }\n",
      [
        "Box.constructor(value:T)",
        "Box.get(key:Map<string,number>):T",
        "class Box",
        "pad(text:string, size?:number):string",
      ],
    ],
    "src/a.cjs": [
      "function add(a, b) { return a + b; }\nexports.twice = (x) => x;\nmodule.exports = { add };\n",
      ["add(a, b)", "twice(x)"],
    ],
    "src/a.py": [
      'def add(a, b: int = 1, *rest) -> int:\n    """def no(): pass"""\n    def inner(): pass\n    return a\n\ndef _own(): pass\n\nclass Box(Base):\n    def get(self, key): pass\n    def _own(self): pass\n\nclass _Hidden:\n    def get(self): pass\n',
      ["Box.get(key)", "add(a, b=, *rest)", "class Box"],
    ],
    "src/a.go": [
      "package a\n\nfunc Add(a, b int, s ...string) (int, error) {\n}\nfunc own() {}\nfunc (b *Box[T]) Get(key string) T {\n}\ntype Box[T any] struct {\n}\n",
      ["*Box.Get(string)T", "Add(int, int, ...string)(int,error)", "type Box[T any]struct"],
    ],
    "src/a.rs": [
      "pub fn add(a: i32, b: &str) -> Result<i32, String> {}\nfn own() {}\npub(crate) fn near() {}\npub struct Box { pub a: i32 }\nimpl Box { pub fn get(&self, key: std::string::String) -> i32 { 1 } }\n",
      ["add(i32, &str)->Result<i32,String>", "get(&self, std::string::String)->i32", "struct Box"],
    ],
    "src/data.json": ["{}", []],
  };
  for (const [path, [text, expected]] of Object.entries(files))
    test(`of ${path}`, () => {
      const display = [...(exportedSymbols(path, text, parse) ?? new Map()).values()].map(
        (one) => one.display,
      );
      expect(display.toSorted()).toEqual(expected);
    });
});

test("a renamed parameter or a changed body changes nothing; a removed name, parameter or file does", () => {
  const before = new Map([
    ["src/a.js", "export function add(a, b) { return a + b; }\n"],
    ["src/b.js", "export const b = 1;\n"],
  ]);
  const harmless = new Map([
    ...before,
    [
      "src/a.js",
      "const plus = (x, y) => x + y;\nexport function add(left, right) { return plus(left, right); }\n",
    ],
  ]);
  const reasons = (after: ReadonlyMap<string, string>) =>
    interfaceDifference(before, after, parse).changes.map(({ reason }) => reason);
  expect(reasons(harmless)).toEqual([]);
  const harmful = new Map([["src/a.js", "export function add(a, b, c) {}\nexport const more = 1;\n"]]);
  expect(reasons(harmful)).toEqual([
    "src/a.js: add(a, b) is add(a, b, c) now",
    "src/a.js has more",
    "src/b.js no longer has b",
  ]);
});
