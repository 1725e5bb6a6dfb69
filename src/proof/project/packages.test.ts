/** The packages of a repository and their runners (CORE-21). Starts nothing. */
import { expect, test } from "vitest";
import { verifies } from "../../../test/verifies.ts";
import { AppError } from "../../lib/errors.ts";
import { affectedPackages } from "../affected-packages.ts";
import { packageRunners, type Package, type RunnerSettings } from "./packages.ts";
import type { Project } from "./project.ts";
import { runners } from "../../evidence/runners/registry.ts";

type Files = Readonly<Record<string, string>>;

function projectOf(files: Files): Project {
  const list = Object.keys(files).toSorted();
  return {
    commit: "",
    tree: "",
    prefix: "",
    files: new Map(list.map((path) => [path, { path, mode: "100644", blob: "" }])),
    texts: async (paths) =>
      new Map(paths.flatMap((path) => (path in files ? [[path, files[path] ?? ""]] : []))),
  };
}

/** `. vitest`, `packages/api jest`, or the refusal. */
async function found(files: Files, settings: Omit<RunnerSettings, "paths"> = {}): Promise<readonly string[]> {
  try {
    const names = await packageRunners(projectOf(files), {
      ...settings,
      paths: { tests: ["tests/"], source: ["src/"] },
    });
    return [...names].map(
      ([prefix, name]) => `${prefix === "" ? "." : prefix.slice(0, -1)} ${name ?? "none"}`,
    );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [`${error.code}: ${error.message}`, error.hint];
  }
}

const uses = (...names: readonly string[]): string =>
  JSON.stringify({ devDependencies: Object.fromEntries(names.map((name) => [name, "1"])) });
const nodeTest = 'import test from "node:test";\n';
const vitestTest = 'import { test } from "vitest";\n';

verifies("CORE-21", "the members of a workspace are those of its list, in any form", async () => {
  const members = { "packages/a/package.json": uses("jest"), "other/b/package.json": uses("mocha") };
  const npm = {
    ...members,
    "package.json": '{ "workspaces": ["./packages/*"], "devDependencies": { "vitest": "1" } }',
  };
  expect(await found(npm)).toEqual([". vitest", "packages/a jest"]);
  expect(
    await found({ ...members, "package.json": '{ "workspaces": { "packages": ["other/*/"] } }' }),
  ).toEqual(["other/b mocha"]);
  const pnpm = {
    ...members,
    "package.json": "{}",
    "pnpm-workspace.yaml": "packages:\n  - '**'\n  - '!other/**'\n",
  };
  expect(await found(pnpm)).toEqual(["packages/a jest"]);
  expect(await found({ ...members, "package.json": "{}", "lerna.json": '{ "packages": ["*/b"] }' })).toEqual([
    "other/b mocha",
  ]);
  expect(
    await found({ ...members, "package.json": uses("vitest"), "pnpm-workspace.yaml": ": broken: [" }),
  ).toEqual([". vitest"]);
});

verifies(
  "CORE-21",
  "without a list a package has a lockfile or no surrounding package; an example is a part of its package",
  async () => {
    const nested = { "web/package.json": uses("vitest"), "web/example/package.json": uses("jest") };
    expect(await found(nested)).toEqual(["web vitest"]);
    expect(await found({ ...nested, "package.json": uses("mocha") })).toEqual([". mocha"]);
    expect(await found({ ...nested, "package.json": uses("mocha"), "web/yarn.lock": "" })).toEqual([
      ". mocha",
      "web vitest",
    ]);
    expect(
      await found({ "package.json": uses("mocha"), "test/fixtures/a/pyproject.toml": "[tool.pytest]" }),
    ).toEqual([". mocha"]);
  },
);

verifies(
  "CORE-21",
  "nested packages are found, and one without its own runner is a part of the surrounding package",
  async () => {
    const files = {
      "package.json": '{ "workspaces": ["packages/**"], "devDependencies": { "vitest": "1" } }',
      "packages/a/package.json": "{}",
      "packages/a/a.test.js": vitestTest,
      "packages/b/package.json": "{}",
      "packages/b/b.test.js": nodeTest,
      "packages/b/inner/package.json": "{}",
      "packages/b/inner/jest.config.js": "",
      "packages/b/inner/c.test.js": vitestTest,
    };
    expect(await found(files)).toEqual([". vitest", "packages/b node:test", "packages/b/inner jest"]);
  },
);

test("packages of Python, Go and Rust start at their own files, unless the surrounding one runs them", async () => {
  const python = { "py/pyproject.toml": "", "py/tests/test_a.py": "import unittest\n" };
  expect(await found({ ...python, "package.json": uses("vitest") })).toEqual([". vitest", "py unittest"]);
  expect(await found({ ...python, "pytest.ini": "" })).toEqual([". pytest"]);
  expect(await found({ ...python, "pytest.ini": "", "py/tox.ini": "[pytest]" })).toEqual([
    ". pytest",
    "py pytest",
  ]);
  const go = { "a/go.mod": "module a\n", "b/go.mod": "module b\n" };
  expect(await found(go)).toEqual(["a go", "b go"]);
  expect(await found({ ...go, "go.work": "" })).toEqual([". go"]);
  const rust = { "a/Cargo.toml": "[package]\n", "b/Cargo.toml": "[package]\n" };
  expect(await found(rust)).toEqual(["a cargo", "b cargo"]);
  expect(await found({ ...rust, "Cargo.toml": "[workspace]\n" })).toEqual([". cargo"]);
});

verifies(
  "CORE-21",
  "a runner alone in the settings applies to all; packages set single ones, and exclude some",
  async () => {
    const files = {
      "package.json": '{ "workspaces": ["*"] }',
      "a/package.json": uses("vitest"),
      "b/package.json": uses("jest"),
      "c/package.json": uses("mocha"),
    };
    expect(await found(files, { runner: "node-test" })).toEqual([". node:test"]);
    expect(await found(files, { runner: "node-test", packages: { b: "vitest", "./c/": "none" } })).toEqual([
      ". node:test",
      "a vitest",
      "b vitest",
      "c none",
    ]);
    expect(await found(files, { runner: "auto" })).toEqual(["a vitest", "b jest", "c mocha"]);
  },
);

verifies(
  "CORE-21",
  "candidates count only where there are tests to run, and are reported with their package",
  async () => {
    const root = {
      "package.json": '{ "workspaces": ["*"], "devDependencies": { "vitest": "1", "jest": "1" } }',
    };
    const member = { "a/package.json": "{}", "a/vitest.config.js": "", "b/package.json": "{}" };
    expect(await found({ ...root, ...member })).toEqual(["a vitest"]);
    const line = (folder: string) => `name one in mettle.yaml: \`packages: { "${folder}": "vitest" }\``;
    expect(await found({ ...root, ...member, "tests/a.test.js": "test();" })).toEqual([
      "runner_ambiguous: several test runners are possible at the root: vitest, jest",
      line("."),
    ]);
    expect(await found({ ...root, ...member, "b/b.test.js": "test();" })).toEqual([
      "runner_ambiguous: several test runners are possible in b: vitest, jest",
      line("b"),
    ]);
    expect(await found({ "a/package.json": "{}" })).toEqual([
      "runner_not_found: no test runner was found",
      expect.stringContaining("set `runner`"),
    ]);
  },
);

test("a change affects its package and its dependents; one at the root or in no package affects all", async () => {
  const project = projectOf({
    "a/package.json": '{ "name": "a" }',
    "b/package.json": '{ "name": "b", "peerDependencies": { "lib": "*" } }',
    "c/package.json": '{ "name": "c" }',
    "lib/package.json": '{ "name": "lib", "dependencies": { "a": "*" } }',
    "py/pyproject.toml": "",
    "go/go.mod": "",
  });
  const vitest = runners["vitest"];
  if (vitest === undefined) throw new TypeError("no vitest");
  const foundRunner = { name: "vitest", runner: vitest, entry: null, version: null, program: null };
  const packages = ["a/", "b/", "c/", "py/", "go/"].map((prefix): Package => ({
    prefix,
    inner: [],
    found: foundRunner,
  }));
  const of = async (...paths: readonly string[]) =>
    (await affectedPackages(packages, project, paths)).map(({ prefix }) => prefix).join(" ");
  expect(await of("a/src/x.js")).toBe("a/ b/");
  expect(await of("c/x.js")).toBe("c/");
  expect(await of("b/x.js", "c/x.js")).toBe("b/ c/");
  // Packages of Python and Go declare no dependencies on others.
  expect(await of("py/x.py")).toBe("py/ go/");
  expect(await of("lib/index.js")).toBe("a/ b/ c/ py/ go/");
  expect(await of()).toBe("a/ b/ c/ py/ go/");
});

test("packages that the root's own command runs as vitest projects run from there, even if they merge its configuration (fault R7)", async () => {
  const merging = 'import root from "../../vitest.config.js";\nexport default mergeConfig(root, {});\n';
  const files = {
    "package.json": '{ "workspaces": ["packages/*", "tools/*"], "scripts": { "test": "vitest run" } }',
    "packages/a/package.json": '{ "scripts": { "test": "vitest run" } }',
    "packages/a/vitest.config.ts": merging,
    "packages/b/package.json": uses("jest"),
    "packages/c/package.json": "{}",
    "packages/c/vitest.config.ts": merging,
    "tools/d/package.json": "{}",
    "tools/d/vitest.config.ts": merging,
  };
  const config =
    'export default defineConfig({ test: { projects: ["./packages/*", "!packages/c", "./other.config.ts"] } });\n';
  const own = ["packages/b jest", "packages/c vitest", "tools/d vitest"];
  expect(await found({ ...files, "vitest.config.ts": config })).toEqual([". vitest", ...own]);
  const workspace = 'export default defineWorkspace(["packages/*/vitest.config.ts", "!packages/c"]);\n';
  expect(await found({ ...files, "vitest.workspace.ts": workspace })).toEqual([". vitest", ...own]);
  expect(await found({ ...files, "vitest.workspace.json": '["packages/*"]\n' })).toEqual([
    ". vitest",
    "packages/b jest",
    "tools/d vitest",
  ]);
  // With a computed list, or a command that starts another program, each package runs by itself.
  const all = [". vitest", "packages/a vitest", ...own];
  expect(
    await found({ ...files, "vitest.config.ts": "export default { test: { projects: all() } };\n" }),
  ).toEqual(all);
  const turbo = files["package.json"].replace("vitest run", "turbo test");
  expect(await found({ ...files, "package.json": turbo, "vitest.config.ts": config })).toEqual(all);
});
