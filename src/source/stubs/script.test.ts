import { expect, test } from "vitest";
import { stubsFor, type StubFacts } from "./script.ts";
import { loadParser } from "../syntax.ts";

const parse = await loadParser();

function stubs(test_: string, options: Partial<StubFacts> & { files?: Record<string, string> } = {}) {
  const files = options.files ?? {};
  return stubsFor({
    tests: [{ path: "tests/a.test.js", text: test_ }],
    planned: ["src/add.js", "src/cart.ts", "src/deep/index.ts"],
    read: (path) => files[path],
    packageType: () => "module",
    transforms: false,
    parse,
    ...options,
  });
}

test("a stub of a missing planned module exports every imported name", () => {
  const [stub, ...rest] = stubs(
    'import sum, { add, minus as less, type Kind } from "../src/add.js";\nless.of(1); sum.all();',
  );
  expect(rest).toEqual([]);
  expect(stub?.path).toBe("src/add.js");
  expect(stub?.names).toEqual(["default", "add", "minus"]);
  expect(stub?.content).toContain('export function add() { throw new Error("not implemented: add"); }');
  expect(stub?.content).toContain('not implemented: minus.of"');
  expect(stub?.content).toContain('not implemented: all"');
});

test("namespace, dynamic and index imports are read, and TypeScript's .js refers to the .ts file", () => {
  const text =
    'import * as cart from "../src/cart.js";\nconst { open } = await import("../src/deep");\ncart.total(); cart.delete();';
  expect(stubs(text).map(({ path, names }) => ({ path, names }))).toEqual([
    { path: "src/cart.ts", names: ["total", "delete"] },
    { path: "src/deep/index.ts", names: ["open"] },
  ]);
});

test("an alias leads to the only planned module of that name (import maps, aliases of a bundler)", () => {
  const of = (from: string, planned = ["src/add.js", "src/deep/index.ts", "src/shop/cart.ts"]) =>
    stubs(`import { add } from "${from}";`, { planned }).map(({ path }) => path);
  expect(of("#shop/add.js")).toEqual(["src/add.js"]);
  expect(of("#add")).toEqual(["src/add.js"]);
  expect(of("@/shop/cart")).toEqual(["src/shop/cart.ts"]);
  expect(of("~/deep")).toEqual(["src/deep/index.ts"]);
  expect(of("@shop/add.js", ["src/add.js", "lib/add.js"])).toEqual([]);
  expect(of("add")).toEqual([]);
  expect(of("@shop/other")).toEqual([]);
});

test("a stub in TypeScript has any type, as a value and as a type, for transforms that check", () => {
  const text = 'import whole, { Cart } from "../src/cart.ts";\nconst cart: Cart = new Cart(1); Cart.of(2);';
  const lines = (late: boolean) => stubs(text, { late })[0]?.content.split("\n") ?? [];
  expect(lines(false).slice(1)).toEqual([
    'export const Cart: any = function () { throw new Error("not implemented: Cart"); };',
    "export type Cart = any;",
    'Object.assign(Cart, { of() { throw new Error("not implemented: Cart.of"); } });',
    'const mettleDefault: any = function () { throw new Error("not implemented: default"); };',
    "type mettleDefault = any;",
    "export { mettleDefault as default };",
    "",
  ]);
  expect(lines(true)).toContain("function mettleLater(name: string): any {");
});

test("require gets a CommonJS stub", () => {
  const [stub] = stubs(
    'const { add, sub: minus } = require("../src/add.js");\nconst whole = require("../src/add.js");\nwhole.mul(1);',
    {
      packageType: () => "commonjs",
    },
  );
  expect(stub?.names).toEqual(["add", "sub", "default"]);
  expect(stub?.content).toContain("module.exports.add = function add()");
  expect(stub?.content).toContain("Object.assign(mettleDefault, { mul()");
});

test("an existing module gets only its missing names, including its re-exports", () => {
  const files = {
    "src/cart.ts": 'export * from "./other.ts";\nexport const { total } = make();\nexport { a as b };\n',
    "src/other.ts": "export class Item {}\nexport async function load() {}\n",
  };
  const [stub] = stubs('import { total, b, Item, load, fresh } from "../src/cart.ts";', { files });
  expect(stub?.names).toEqual(["fresh"]);
  expect(stub?.content.startsWith(files["src/cart.ts"])).toBe(true);
  expect(stub?.content).toContain("export const fresh: any = function ()");
});

test("an existing CommonJS module keeps the names that it creates at run time", () => {
  const files = { "src/add.js": 'module.exports = { ...require("./more.js"), add };\n' };
  const [stub] = stubs('const { add, more } = require("../src/add.js");', {
    files,
    packageType: () => "commonjs",
  });
  expect(stub?.names).toEqual(["more"]);
  expect(stub?.content).toContain('if (!("more" in Object(module.exports))) {');
});

test("no stub for a module outside the plan, in a package, or with unknown names", () => {
  expect(stubs('import { x } from "../src/unplanned.js"; import z from "zod";')).toEqual([]);
  expect(
    stubs('import { x } from "../src/cart.ts";', {
      files: { "src/cart.ts": 'export * from "some-package";' },
    }),
  ).toEqual([]);
  expect(stubs('import type { Cart } from "../src/cart.ts";')).toEqual([]);
});

test("a late stub throws when its result is used, and not before", async () => {
  const [stub] = stubs('import { Cart, delete as remove } from "../src/add.js";\nCart.of(1);', {
    late: true,
  });
  const { Cart, delete: remove } = (await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(stub?.content ?? "")}`
  )) as { Cart: { new (): { size: number }; of(n: number): () => void }; delete: () => () => void };
  const cart = new Cart();
  const made = [Cart.of(1), remove()];
  expect(() => cart.size).toThrow("not implemented: Cart");
  expect(() => made[0]?.()).toThrow("not implemented: Cart.of");
  expect(() => made[1]?.()).toThrow("not implemented: delete");
});
