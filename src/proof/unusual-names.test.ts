/** Projects whose configuration names tests unusually get the same verdicts as with usual names, with every runner (PRV-04). */
import { expect } from "vitest";
import { proofProject } from "../../test/proof-project.ts";
import { verifiesWhen } from "../../test/verifies.ts";
import { samples } from "../../test/wide.ts";
import { runnersHere } from "../evidence/fixtures/run-native.ts";

type Files = Readonly<Record<string, string>>;

interface Unusual {
  readonly runner: string;
  readonly config: Files;
  /** The additional part of a longer script. */
  readonly also: string;
  readonly old: Files;
  readonly fresh: Files;
  /** The file that only the additional part runs. */
  readonly more: readonly [path: string, text: string];
  /** The additional part, as it is printed. */
  readonly part: string;
  /** `old` or `add`, which returns `value`. */
  source(name: string, value: string): Files;
}

const script = (text: string, more: object = {}) =>
  JSON.stringify({ type: "module", scripts: { test: text }, ...more });
const modules = (imports: string, assertion: string) => {
  const test = (name: string) =>
    `${imports}import { ${name} } from "../src/${name}.js";\ntest("${name}s", () => { ${assertion.replace("_", `${name}(1, 1)`)}; });\n`;
  const source = (name: string, value: string) => ({
    [`src/${name}.js`]: `export const ${name} = (a, b) => ${value};\n`,
  });
  return { test, source };
};
const assert = 'import assert from "node:assert/strict";\n';
const equals = "assert.equal(_, 2)";
const node = modules(`import test from "node:test";\n${assert}`, equals);
const vitest = modules('import { test, expect } from "vitest";\n', "expect(_).toBe(2)");
const jest = modules('import { test, expect } from "@jest/globals";\n', "expect(_).toBe(2)");
const mocha = modules(`import { it as test } from "mocha";\n${assert}`, equals);
const python = {
  source: (name: string, value: string) => ({
    [`src/${name}.py`]: `def ${name}(a, b):\n    return ${value}\n`,
  }),
  case: (name: string) =>
    `import unittest\nfrom src.${name} import ${name}\n\n\nclass Proves(unittest.TestCase):\n    def test_${name}(self):\n        self.assertEqual(${name}(1, 1), 2)\n`,
};
const goTest = (name: string) =>
  `//go:build checks\n\npackage src_test\n\nimport (\n\t"testing"\n\n\t"example.com/x/src"\n)\n\nfunc Test${name}(t *testing.T) {\n\tif src.${name}(1, 1) != 2 {\n\t\tt.Fatal("not 2")\n\t}\n}\n`;
const rustTest = (name: string) => `#[test]\nfn ${name}s() { assert_eq!(x::${name}(1, 1), 2); }\n`;

const projects: readonly Unusual[] = [
  {
    runner: "node:test",
    also: "node --test --import=./src/old.js more/*.js",
    config: {
      "package.json": script("node --test checks/*.prove.js"),
    },
    old: { "checks/old.prove.js": node.test("old") },
    fresh: { "checks/add.prove.js": node.test("add") },
    more: ["more/old.js", node.test("old")],
    part: "node:test more/*.js",
    source: node.source,
  },
  {
    runner: "vitest",
    also: "vitest run --config more.config.js",
    config: {
      "package.json": script("vitest run"),
      "vitest.config.js": 'export default { test: { include: ["checks/**/*.prove.js"] } };\n',
      "more.config.js": 'export default { test: { include: ["more/*.js"] } };\n',
    },
    old: { "checks/old.prove.js": vitest.test("old") },
    fresh: { "checks/add.prove.js": vitest.test("add") },
    more: ["more/old.js", vitest.test("old")],
    part: "vitest --config more.config.js run",
    source: vitest.source,
  },
  {
    runner: "mocha",
    also: "mocha --config more.json",
    config: {
      "package.json": script("mocha"),
      ".mocharc.json": JSON.stringify({ spec: "checks/**/*.prove", extension: ["prove"] }),
      "more.json": JSON.stringify({ spec: "more/*.js" }),
      "checks/package.json": '{ "type": "commonjs" }\n',
    },
    old: { "checks/old.prove": mocha.test("old") },
    fresh: { "checks/add.prove": mocha.test("add") },
    more: ["more/old.js", mocha.test("old")],
    part: "mocha --config more.json",
    source: mocha.source,
  },
  {
    runner: "jest",
    also: "jest --config more.json",
    config: {
      "package.json": script("jest", {
        jest: { roots: ["checks"], testRegex: "\\.prove\\.js$" },
      }),
      "more.json": JSON.stringify({ testMatch: ["**/more/*.js"] }),
    },
    old: { "checks/old.prove.js": jest.test("old") },
    fresh: { "checks/add.prove.js": jest.test("add") },
    more: ["more/old.js", jest.test("old")],
    part: "jest --config more.json",
    source: jest.source,
  },
  {
    runner: "pytest",
    also: "pytest -c more.ini more",
    config: {
      "package.json": script("pytest"),
      "pytest.ini": "[pytest]\ntestpaths = checks\npython_files = *_proves.py\npython_functions = proves_*\n",
      "more.ini": "[pytest]\npython_files = *.py\npython_functions = proves_*\n",
    },
    old: {
      "checks/old_proves.py": "from src.old import old\n\n\ndef proves_old():\n    assert old(1, 1) == 2\n",
    },
    fresh: {
      "checks/add_proves.py": "from src.add import add\n\n\ndef proves_add():\n    assert add(1, 1) == 2\n",
    },
    more: ["more/old.py", "def proves_more():\n    assert True\n"],
    part: "pytest -c more.ini more",
    source: python.source,
  },
  {
    runner: "unittest",
    also: "PLACE=more python3 -m unittest more.old",
    config: {
      "package.json": script("python3 -m unittest discover -s checks -t . -p '*_proves.py'"),
    },
    old: { "checks/__init__.py": "", "checks/old_proves.py": python.case("old") },
    fresh: { "checks/add_proves.py": python.case("add") },
    more: ["more/old.py", python.case("old")],
    part: "unittest more.old",
    source: python.source,
  },
  {
    runner: "go",
    also: "go test -tags more ./...",
    config: {
      "go.mod": "module example.com/x\n\ngo 1.19\n",
      "package.json": script("go test -tags checks ./..."),
    },
    old: { "src/old_test.go": goTest("Old") },
    fresh: { "src/add_test.go": goTest("Add") },
    more: ["src/more_test.go", goTest("Old").replace("checks", "more").replace("TestOld", "TestMore")],
    part: "go -tags more ./...",
    source: (name, value) => ({
      [`src/${name}.go`]: `package src\n\nfunc ${name === "old" ? "Old" : "Add"}(a, b int) int { return ${value} }\n`,
    }),
  },
  {
    runner: "cargo",
    also: "cargo test --features more",
    config: {
      "Cargo.toml":
        '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\nautotests = false\n[features]\nmore = []\n[[test]]\nname = "odd"\npath = "checks/prove.rs"\n[[test]]\nname = "further"\npath = "tests/more.rs"\nrequired-features = ["more"]\n',
      "package.json": script("cargo test"),
      "Cargo.lock": 'version = 3\n\n[[package]]\nname = "x"\nversion = "0.1.0"\n',
      "src/lib.rs": "mod old;\nmod add;\npub use old::old;\npub use add::add;\n",
      "src/add.rs": "pub fn add(_a: i32, _b: i32) -> i32 { todo!() }\n",
      "checks/prove.rs": "mod old;\nmod add;\n",
      "checks/add.rs": "",
    },
    old: { "checks/old.rs": rustTest("old") },
    fresh: { "checks/add.rs": rustTest("add") },
    more: ["tests/more.rs", rustTest("old")],
    part: "cargo --features more",
    source: (name, value) => ({ [`src/${name}.rs`]: `pub fn ${name}(a: i32, b: i32) -> i32 { ${value} }\n` }),
  },
];

const here = await runnersHere();
for (const one of samples(projects))
  verifiesWhen(
    here.has(one.runner),
    `there is no ${one.runner}`,
    `PRV-04@${one.runner}`,
    `${one.runner}: tests that its configuration names unusually are found, missed and lost like any other`,
    { tags: "ci" },
    async () => {
      const world = await proofProject(
        { ...one.config, ...one.old, ...one.source("old", "a + b") },
        { modules: true },
      );
      const paths = { tests: ["checks/", "more/", "tests/", "**/*_test.go"], source: ["src/"] };
      const settings = { runner: one.runner, paths };
      const planned = Object.keys(one.source("add", ""));
      const head = await world.commitOn(world.base, one.fresh);
      const red = await world.red(head, { settings, planned });
      expect(red.verdict.checks.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
      // cargo reports a module's test under the root of its target.
      const told = (files: Files) =>
        one.runner === "cargo"
          ? ["checks/prove.rs"]
          : Object.keys(files).filter((path) => !path.endsWith("__init__.py"));
      expect(red.required.map((id) => id.split("::")[0])).toEqual(told(one.fresh));
      const green = async (add: string, old: string) => {
        const changed = { ...one.source("add", add), ...one.source("old", old) };
        return world.green({
          settings,
          red: head,
          head: await world.commitOn(head, changed),
          required: red.required,
        });
      };
      const honest = await green("a + b", "a + b");
      expect(honest.verdict.checks.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
      const broken = await green("a + b", "a - b");
      expect(broken.verdict.outcome).toBe("fail");
      const lost = broken.verdict.checks.find(({ name }) => name === "regressions")?.tests ?? [];
      expect(lost.map((id) => id.split("::")[0])).toEqual(told(one.old));

      const [path, text] = one.more;
      const longer = (one.config["package.json"] ?? "").replace(/("test":"[^"]*)"/, `$1 && ${one.also}"`);
      const base = await world.commitOn(world.base, { [path]: text, "package.json": longer });
      const fresh = await world.commitOn(base, one.fresh);
      const doubted = await world.red(fresh, { settings, planned, base });
      expect(doubted.verdict.outcome).toBe("inconclusive");
      const load = doubted.verdict.checks.find(({ name }) => name === "load")?.reason ?? "";
      expect(load).toMatch(/^tests_not_executed: /);
      expect(load).toContain(`\`${one.part}\` (${path})`);
      const ports = { ...world.ports, tests: { unjudged: [one.part] } };
      const accepted = await world.red(fresh, { settings, planned, base, ports });
      expect(accepted.verdict.outcome).toBe("pass");
      expect(accepted.verdict.findings.map(({ message }) => message)).toContain(
        `the settings exclude \`${one.part}\` of the test script from the verdict`,
      );
    },
  );
