/** `mettle gate` with each runner, in fresh clones, with an empty home and no network (CORE-35). */
import { spawn, spawnSync } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { programOf } from "../../src/evidence/fixtures/run-native.ts";
import { cargo } from "../../src/evidence/runners/cargo.ts";
import { go } from "../../src/evidence/runners/go.ts";
import { pytest } from "../../src/evidence/runners/pytest.ts";
import { unittest } from "../../src/evidence/runners/unittest.ts";
import { newFolder } from "../support/folder.ts";
import { createRepository } from "../support/repository.ts";
import { verifiesWhen } from "../verifies.ts";
import { wide } from "../wide.ts";

/** A project with an existing function and one that is not written yet. */
interface Story {
  readonly runner: string;
  readonly needsModules: boolean;
  readonly has: boolean;
  readonly settings: Readonly<Record<string, string>>;
  readonly source: string;
  readonly oldTest: string;
  readonly newTest: string;
  /** The source with these return values. */
  code(old: string, total: string): string;
  /** A test of a call and its expected value. */
  test(name: string, call: string, expected: string): string;
  readonly calls: { readonly old: string; readonly total: string };
  readonly sum: string;
}

const script = (
  runner: string,
  imports: string,
  type: "module" | "commonjs",
  from: (path: string) => string,
): Story => ({
  runner,
  needsModules: runner !== "node:test",
  has: true,
  settings: {
    "package.json": JSON.stringify({
      type,
      scripts: { test: runner === "node:test" ? "node --test" : runner },
    }),
  },
  source: "src/cart.js",
  oldTest: "test/old.test.js",
  newTest: "test/total.test.js",
  code: (old, total) =>
    type === "module"
      ? `export const old = () => ${old};\nexport const total = (prices) => ${total};\n`
      : `exports.old = () => ${old};\nexports.total = (prices) => ${total};\n`,
  test: (name, call, expected) =>
    `${imports}${from("../src/cart.js")}\ntest("${name}", () => assert.equal(${call}, ${expected}));\n`,
  calls: { old: "old()", total: "total([2, 3])" },
  sum: "prices.reduce((sum, price) => sum + price, 0)",
});
const esm = (path: string) => `import { old, total } from "${path}";`;
const cjs = (path: string) => `const { old, total } = require("${path}");`;
const python = (runner: string, has: boolean): Story => ({
  runner,
  needsModules: false,
  has,
  settings: { "shop/__init__.py": "", ...(runner === "pytest" ? { "pytest.ini": "[pytest]\n" } : {}) },
  source: "shop/cart.py",
  oldTest: "tests/test_old.py",
  newTest: "tests/test_total.py",
  code: (old, total) => `def old():\n    return ${old}\n\n\ndef total(prices):\n    return ${total}\n`,
  test: (name, call, expected) =>
    runner === "pytest"
      ? `from shop.cart import old, total\n\n\ndef test_${name}():\n    assert ${call} == ${expected}\n`
      : `import unittest\nfrom shop.cart import old, total\n\n\nclass Cart(unittest.TestCase):\n    def test_${name}(self):\n        self.assertEqual(${call}, ${expected})\n`,
  calls: { old: "old()", total: "total([2, 3])" },
  sum: "sum(prices)",
});
const has = async (runner: Parameters<typeof programOf>[0]) => (await programOf(runner)) !== null;

const stories: readonly Story[] = [
  script(
    "node:test",
    'import test from "node:test";\nimport assert from "node:assert/strict";\n',
    "module",
    esm,
  ),
  script("vitest", 'import { test, assert } from "vitest";\n', "module", esm),
  script("jest", 'const assert = require("node:assert");\n', "commonjs", cjs),
  {
    ...script("mocha", 'const assert = require("node:assert");\nconst test = it;\n', "commonjs", cjs),
    test: (name, call, expected) =>
      `const assert = require("node:assert");\n${cjs("../src/cart.js")}\nit("${name}", () => assert.equal(${call}, ${expected}));\n`,
  },
  python("pytest", await has(pytest)),
  python("unittest", await has(unittest)),
  {
    runner: "go",
    needsModules: false,
    has: await has(go),
    settings: { "go.mod": "module example.com/shop\n\ngo 1.18\n" },
    source: "cart/cart.go",
    oldTest: "cart/old_test.go",
    newTest: "cart/total_test.go",
    code: (old, total) =>
      `package cart\n\nfunc Old() int { return ${old} }\n\nfunc Total(prices []int) int {\n\tsum := 0\n\tfor _, price := range prices {\n\t\tsum += price\n\t}\n\t_ = sum\n\treturn ${total}\n}\n`,
    test: (name, call, expected) =>
      `package cart\n\nimport "testing"\n\nfunc Test_${name}(t *testing.T) {\n\tif got := ${call}; got != ${expected} {\n\t\tt.Errorf("got %v", got)\n\t}\n}\n`,
    calls: { old: "Old()", total: "Total([]int{2, 3})" },
    sum: "sum",
  },
  {
    runner: "cargo",
    needsModules: false,
    has: await has(cargo),
    settings: { "Cargo.toml": '[package]\nname = "my-shop"\nversion = "0.1.0"\nedition = "2021"\n' },
    source: "src/lib.rs",
    oldTest: "tests/old.rs",
    newTest: "tests/total.rs",
    code: (old, total) =>
      `pub fn old() -> i32 { ${old} }\npub fn total(prices: &[i32]) -> i32 { let _ = prices; ${total} }\n`,
    test: (name, call, expected) => `#[test]\nfn ${name}() { assert_eq!(${call}, ${expected}); }\n`,
    calls: { old: "my_shop::old()", total: "my_shop::total(&[2, 3])" },
    sum: "prices.iter().sum()",
  },
];

/** Rust's own folder, outside of the empty home. */
const toolchains = process.env["RUSTUP_HOME"] ?? join(homedir(), ".rustup");
const alone = spawnSync("unshare", ["-rn", "true"]).status === 0;

// test/cli/gate.test.ts proves the same with one runner.
describe.skipIf(!wide)("in a fresh clone with an empty home", () => {
  for (const story of stories)
    verifiesWhen(
      story.has && alone,
      `${story.runner}, or unshare of util-linux`,
      "CORE-35",
      `${story.runner}: each gate exits with 0 for an honest head and 1 for a cheating one`,
      () => judgeAll(story),
      400_000,
    );
});

async function judgeAll(story: Story): Promise<void> {
  const { code, calls, sum, source, oldTest, newTest } = story;
  const base = {
    ".gitignore": "node_modules\ntarget\n__pycache__\n",
    ...story.settings,
    [source]: code("1", "0"),
    [oldTest]: story.test("is_old", calls.old, "1"),
  };
  const repo = await createRepository({ files: base });
  const work = newFolder();
  const home = join(work, "home");
  const clone = join(work, "clone");
  const branch = async (
    name: string,
    from: string,
    files: Readonly<Record<string, string>>,
    message?: string,
  ) => {
    await repo.git("switch", "--quiet", "--create", name, from);
    await repo.write(files);
    await repo.commit(message);
  };
  const merge = async (name: string, files: Readonly<Record<string, string>>) => {
    await repo.git("switch", "--quiet", "--create", name, "side");
    await repo.git("merge", "--quiet", "--no-commit", "--no-ff", "green");
    await repo.write(files);
    await repo.commit();
  };
  await branch(
    "red",
    "main",
    { [newTest]: story.test("is_total", calls.total, "5") },
    "Tests\n\nMettle-Phase: red\n",
  );
  await branch("red-cheat", "main", { [newTest]: story.test("is_total", calls.total, "0") });
  await branch("green", "red", { [source]: code("1", sum) });
  await branch("green-cheat", "red", { [source]: code("1", "4") });
  await branch("refactor", "main", { [source]: code("0 + 1", "0") });
  await branch("refactor-cheat", "main", { [source]: code("2", "0") });
  await branch("side", "main", { "NOTES.md": "Beside it.\n" });
  await merge("merge", {});
  await merge("merge-cheat", { [source]: code("2", sum) });

  await mkdir(home);
  await repo.git("clone", "--quiet", "--no-local", repo.dir, clone);
  if (story.needsModules) {
    expect(
      (await mettle(clone, home, ["gate", "red", "--base", "origin/main", "--head", "origin/red"])).code,
    ).toBe(5);
    await symlink(join(packageRoot("."), "node_modules"), join(clone, "node_modules"));
  }
  const given: Record<string, number | null> = {};
  for (const gate of ["red", "green", "refactor", "merge"])
    for (const head of [gate, `${gate}-cheat`]) {
      const line = ["gate", gate, "--base", "origin/main", "--head", `origin/${head}`];
      const { code: exit, output } = await mettle(clone, home, line);
      given[head] = exit;
      if (exit !== (head === gate ? 0 : 1)) console.warn(output);
    }
  expect(given).toEqual({
    red: 0,
    "red-cheat": 1,
    green: 0,
    "green-cheat": 1,
    refactor: 0,
    "refactor-cheat": 1,
    merge: 0,
    "merge-cheat": 1,
  });
  expect((await mettle(clone, home, ["gate", "red", "--base", "nowhere"])).code).toBe(2);
}

function mettle(
  cwd: string,
  home: string,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly output: string }> {
  const program = join(packageRoot("dist"), "bin", "mettle.cjs");
  // A network namespace without any connection.
  const child = spawn("unshare", ["-rn", process.execPath, program, ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: home, RUSTUP_HOME: toolchains },
    timeout: 120_000,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, output })));
}
