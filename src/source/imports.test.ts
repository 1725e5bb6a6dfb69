import { expect, test } from "vitest";
import { readCode } from "./code-text.ts";
import { importsOf } from "./imports.ts";
import { pythonImports } from "./imports-python.ts";
import { declares } from "./node-exports.ts";
import { readScript } from "./script.ts";

test("a member of a required module gives its parts to names, and no text becomes a pattern (fault R2)", () => {
  const imports = (text: string) => importsOf(readScript(text)).map((one) => [one.from, one.names]);
  expect(imports('const { x, y: z } = require("fs").promises;')).toEqual([
    ["fs", [{ name: "promises", members: ["x", "y"] }]],
  ]);
  expect(imports('const { x = [(], ...rest } = require("fs").promises;\nconst {} = require("a").b')).toEqual([
    ["fs", [{ name: "promises", members: ["x"] }]],
    ["a", [{ name: "b", members: [] }]],
  ]);
  expect(imports('const $ = require("./jq"); $.ajax(); const { get } = $; a$.no; x.$.no;')).toEqual([
    ["./jq", [{ name: "default", members: ["ajax", "get"] }]],
  ]);
  expect(imports('import * as ns from "./m"; ns.one(); ns?.two; const { three } = ns;')).toEqual([
    ["./m", ["one", "two", "three"].map((name) => ({ name, members: [] }))],
  ]);
  for (const odd of ["{ a: [b", "{ (?<n }", "{ \\\\ }", "{ **, + }", "{ [x]: y }", "{ '(': y }"])
    expect(imports(`const ${odd}} = require("m").p; const ${odd} = require("n");`)).toEqual(
      expect.any(Array),
    );
});

test("names in other scripts are matched literally", () => {
  const python = "import os.path as p, a . b\np.join(x); a.b . c(); other.a.b.no()";
  expect(pythonImports(readCode(python, "python")).map(({ module, used }) => [module, used])).toEqual([
    ["os.path", ["join"]],
    ["a . b", ["c"]],
  ]);
  const lines = ["def add(x):", "MAX: int = 1", "from shop import (", "  total,", ")", "x = hidden(1)"].join(
    "\n",
  );
  expect(["add", "MAX", "total", "hidden", ".*"].map((name) => declares("a.py", lines, name))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(
    ["Cart", "crate_fn", "inner"].map((name) =>
      declares("a.rs", "pub struct Cart;\npub(crate) fn crate_fn() {}\nfn inner() {}", name),
    ),
  ).toEqual([true, true, false]);
  expect(
    ["Total", "local"].map((name) =>
      declares("a.go", "func (c *Cart) Total() int {\n}\nfunc x() { local() }", name),
    ),
  ).toEqual([true, false]);
});
