import { expect, test } from "vitest";
import { declares } from "../../source/node-exports.ts";
import { isImplemented, markersIn } from "./node-markers.ts";
import { freshMarks } from "../../source/test-marks-javascript.ts";

const lines = (path: string, text: string) => markersIn(path, text).map(({ line }) => line);

test("the stub marker of each language is found in code, not in comments or strings", () => {
  const found: Readonly<Record<string, readonly [string, readonly number[]]>> = {
    "a.ts": [
      'throw new Error("Not implemented: add");\n// throw new Error("not implemented")\nthrow new Error("bad");\nthrow new NotImplementedError();\nconst t = "throw new Error(\\"not implemented\\")";\nreturn Promise.reject(new Error(`not implemented`));\nthrow new NotImplemented();\n',
      [1, 4, 6, 7],
    ],
    "a.py": [
      'def f():\n    raise NotImplementedError\ndef g():\n    raise Exception("not implemented")\n@abstractmethod\ndef h(self):\n    raise NotImplementedError()\n# raise NotImplementedError\nx = "raise NotImplementedError"\nraise ValueError("x")\n',
      [2, 4],
    ],
    "a.go": ['panic("not implemented")\npanic("lost")\nreturn errors.New("not implemented: add")\n', [1, 3]],
    "a.rs": [
      'todo!()\nunimplemented!("x")\npanic!("not implemented")\npanic!("lost")\n// todo!()\n',
      [1, 2, 3],
    ],
    "A.java": ["throw new UnsupportedOperationException();\nint a = 1;\n", [1]],
    "A.hs": ["add :: Int -> Int\nadd = undefined\n-- x = undefined\n", [2]],
    "a.pyi": ["raise NotImplementedError\n", []],
    "a.d.ts": ['throw new Error("not implemented");\n', []],
  };
  expect(Object.entries(found).map(([path, [text]]) => [path, lines(path, text)])).toEqual(
    Object.entries(found).map(([path, [, at]]) => [path, at]),
  );
});

test("a marker that existed before is not new, wherever it moved", () => {
  const before = markersIn("a.ts", 'throw new Error("not implemented: old");\n');
  const now = markersIn(
    "a.ts",
    '\n\nthrow new Error("not implemented: old");\nthrow new Error("not implemented: new");\n',
  );
  expect(freshMarks(now, before)).toEqual([
    { path: "a.ts", line: 4, what: 'throw new Error("not implemented: new");' },
  ]);
});

test("a file of types, re-exports or stubs is not implemented; a file that returns a result is", () => {
  const texts: Readonly<Record<string, readonly [string, boolean]>> = {
    "types.ts": [
      "export interface A { return: string; if?: number }\nexport type F = (a: number) => void;\n",
      false,
    ],
    "index.ts": ['export { add } from "./add.ts";\nexport const most = 3;\n', false],
    "stub.ts": [
      'export function add() {\n  if (x) return 1;\n  throw new Error("not implemented");\n}\n',
      false,
    ],
    "add.ts": ["export function add(a: number) {\n  return a + 1;\n}\n", true],
    "add.py": ["def add(a):\n    return a\n", true],
    "add.go": ["func Add(a int) int { return a }\n", true],
  };
  expect(Object.entries(texts).map(([path, [text]]) => [path, isImplemented(path, text)])).toEqual(
    Object.entries(texts).map(([path, [, is]]) => [path, is]),
  );
});

test("a name is declared by the rules of the language", () => {
  const python =
    "from a import (b,\n  c)\nclass Cart:\n    total = 1\ndef add(): pass\nrate: float = 2\n# def gone(): pass\n";
  expect(
    ["Cart", "add", "rate", "b", "total", "gone", "pass"].map((name) => declares("a.py", python, name)),
  ).toEqual([true, true, true, true, false, false, false]);
  const go =
    "type Cart struct {}\nfunc (c *Cart) Total() int { return sum }\nvar Rate = 1\nconst (\n\tMost = 3\n)\n";
  expect(["Cart", "Total", "Rate", "Most", "Gone"].map((name) => declares("a.go", go, name))).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
  const rust =
    "pub struct Cart;\npub(crate) fn inner() {}\nfn hidden() {}\npub async fn total() {}\npub use other::Rate;\n";
  expect(["Cart", "total", "Rate", "hidden"].map((name) => declares("a.rs", rust, name))).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(["Cart", "Gone"].map((name) => declares("Types.hs", "module Types (Cart) where", name))).toEqual([
    true,
    false,
  ]);
});
