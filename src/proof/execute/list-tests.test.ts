import { beforeAll, expect, test } from "vitest";
import { proofProject, rules, type ProofProject } from "../../../test/proof-project.ts";
import { runnersHere } from "../../evidence/fixtures/run-native.ts";
import { listTests, type TestList } from "./list-tests.ts";
import { packagesOf } from "../project/packages.ts";
import { projectAt } from "../project/project.ts";
import { inCheckout, proofSetting } from "../setting.ts";
import { inCi } from "../../../test/verifies.ts";

let project: ProofProject;
beforeAll(async () => void (project = await proofProject({ "README.md": "" }, { modules: true })));

type Files = Readonly<Record<string, string>>;

async function listed(runner: string, files: Files): Promise<TestList> {
  const base = await projectAt(project.repository, await project.commitOn(project.base, files));
  const { ports, cached } = project;
  const cache = {
    get: async (key: string) => cached.get(key) ?? null,
    put: async (key: string, value: string) => void cached.set(key, value),
  };
  const packages = await packagesOf(project.repository, base, { runner, paths: rules });
  const setting = await proofSetting({ ports, cache, rules, base, packages });
  return inCheckout(setting, { files: [...base.files.values()] }, (checkout) =>
    listTests(setting, { project: base, checkout, purpose: "baseline" }, []),
  );
}

const script = (text: string) => JSON.stringify({ type: "module", scripts: { test: text } });
const empty = (...paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, ""]));

const lists: readonly (readonly [runner: string, what: string, Files, readonly string[]])[] = [
  [
    "node:test",
    "its own names where no script says more",
    empty("test/helper.js", "src/a.test.js", "src/b.spec.js", "tests/c.js"),
    ["src/a.test.js", "test/helper.js"],
  ],
  [
    "node:test",
    "the patterns of the script",
    {
      ...empty("checks/a.check.js", "checks/deep/b.check.js", "checks/.c.check.js", "test/d.test.js"),
      "package.json": script("node --test --test-concurrency=2 checks/*.check.js"),
    },
    ["checks/a.check.js"],
  ],
  [
    "vitest",
    "include and exclude of its configuration",
    {
      ...empty(
        "tests/one.unit.js",
        "tests/two.test.js",
        "tests/old/three.unit.js",
        "tests/o d/[x]{y,z}.unit.js",
      ),
      "vitest.config.js":
        'export default { test: { include: ["tests/**/*.unit.js"], exclude: ["**/old/**"] } };',
    },
    ["tests/o d/[x]{y,z}.unit.js", "tests/one.unit.js"],
  ],
  [
    "vitest",
    "its own names without one",
    empty("a.test.ts", "tests/b.js", "c.spec.jsx"),
    ["a.test.ts", "c.spec.jsx"],
  ],
  [
    "vitest",
    "the filter of the script",
    { ...empty("unit/a.test.js", "e2e/b.test.js"), "package.json": script("vitest run unit --coverage") },
    ["unit/a.test.js"],
  ],
  [
    "jest",
    "testRegex and testPathIgnorePatterns",
    {
      ...empty("tests/a.check.js", "tests/b.test.js", "tests/old/c.check.js"),
      "package.json": JSON.stringify({
        jest: { testRegex: "\\.check\\.js$", testPathIgnorePatterns: ["/old/"] },
      }),
    },
    ["tests/a.check.js"],
  ],
  [
    "jest",
    "its own names",
    empty("__tests__/a.js", "b.test.ts", "tests/c.js"),
    ["__tests__/a.js", "b.test.ts"],
  ],
  [
    "mocha",
    "spec, extension and ignore of its configuration, and the script's own",
    {
      ...empty("checks/a.js", "checks/deep/b.ts", "checks/no.js", "more/c.js", "test/d.js"),
      ".mocharc.json": JSON.stringify({
        spec: "checks",
        recursive: true,
        extension: ["js", "ts"],
        ignore: ["checks/no.js"],
      }),
      "package.json": script("mocha 'more/**/*.js' --reporter dot"),
    },
    ["checks/a.js", "checks/deep/b.ts", "more/c.js"],
  ],
  ["mocha", "the folder test without one", empty("test/a.js", "test/deep/b.js", "tests/c.js"), ["test/a.js"]],
  ["mocha", "nothing where it finds none", empty("tests/c.js"), []],
  [
    "pytest",
    "its options, and what a conftest ignores, without loading anything",
    {
      ...empty(
        "tests/test_a.py",
        "tests/helper.py",
        "tests/old/test_c.py",
        "bench/test_d.py",
        "tests/test_no.py",
      ),
      "tests/check_b [1].py": "import nowhere\n",
      "tests/conftest.py": 'collect_ignore = ["test_no.py"]\n',
      "pytest.ini": "[pytest]\npython_files = test_*.py check_*.py\ntestpaths = tests\nnorecursedirs = old\n",
    },
    ["tests/check_b [1].py", "tests/test_a.py"],
  ],
  [
    "unittest",
    "what discovery finds in the folders where it may start",
    empty("tests/test_a.py", "tests/deep/test_b.py", "pkg/__init__.py", "pkg/test_c.py", "tests/d_test.py"),
    ["pkg/test_c.py", "tests/deep/test_b.py", "tests/test_a.py"],
  ],
  [
    "unittest",
    "what the script gives to discovery",
    {
      ...empty("tests/a_spec.py", "tests/test_b.py"),
      "package.json": script("python3 -m unittest discover -v -s tests -p '*_spec.py'"),
    },
    ["tests/a_spec.py"],
  ],
  [
    "jest",
    "what each of its projects names",
    {
      ...empty(
        "a/one.check.js",
        "a/one.test.js",
        "b/deep/two.test.js",
        "b/deep/two.check.js",
        "c/three.test.js",
      ),
      "package.json": script("jest --silent"),
      "jest.config.js":
        'export default { projects: [{ rootDir: "a", testMatch: ["**/*.check.js"] }, { roots: ["<rootDir>/b"] }] };',
    },
    ["a/one.check.js", "b/deep/two.test.js"],
  ],
  [
    "mocha",
    "what several parts of the script give to it in one manner",
    {
      ...empty("unit/a.js", "int/b.js", "after/c.js", "test/d.js"),
      "package.json": JSON.stringify({
        scripts: {
          test: "npm run unit && mocha int/*.js --reporter dot",
          unit: "mocha unit",
          posttest: "mocha after",
        },
      }),
    },
    ["after/c.js", "int/b.js", "unit/a.js"],
  ],
  [
    "pytest",
    "what the configuration that the script names has",
    {
      ...empty("tests/test_a.py", "tests/a_spec.py", "tests/slow/b_spec.py"),
      "package.json": script("python3 -m pytest -c config/ci.ini --ignore=tests/slow"),
      "config/ci.ini": "[pytest]\npython_files = *_spec.py\n",
    },
    ["tests/a_spec.py"],
  ],
  [
    "cargo",
    "the members of its workspace, with the features that the script turns on",
    {
      "Cargo.toml": '[workspace]\nmembers = ["a", "b"]\nexclude = ["c"]\n',
      "package.json": script("cargo test --features a/more"),
      "a/Cargo.toml":
        '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n[features]\nmore = ["most"]\nmost = []\nother = []\n[[test]]\nname = "one"\npath = "tests/with.rs"\nrequired-features = ["most"]\n[[test]]\nname = "two"\npath = "tests/without.rs"\nrequired-features = ["other"]\n',
      "b/Cargo.toml": '[package]\nname = "b"\nversion = "0.1.0"\nedition = "2021"\n',
      "a/src/lib.rs": "",
      "a/tests/with.rs": "",
      "a/tests/without.rs": "",
      "b/src/lib.rs": "/// ```\n/// ```\npub fn b() {}\n",
      "b/tests/deep/main.rs": "",
    },
    ["a/tests/with.rs", "b/src/lib.rs", "b/tests/deep/main.rs"],
  ],
  [
    "go",
    "the test files that this build has",
    {
      "go.mod": "module example.com/x\n\ngo 1.19\n",
      "x.go": "package x\n",
      "x_test.go": "package x\n",
      "x_windows_test.go": "package x\n",
      "tagged_test.go": "//go:build slow\n\npackage x\n",
      "never_test.go": "//go:build ignore\n\npackage x\n",
      "out/out_test.go": "package out_test\n",
      "testdata/y_test.go": "package y\n",
      "sub/go.mod": "module example.com/sub\n",
      "sub/z_test.go": "package z\n",
      "package.json": script("go test -count 1 -tags slow ./..."),
    },
    ["out/out_test.go", "tagged_test.go", "x_test.go"],
  ],
  [
    "cargo",
    "the targets of the manifest and the modules that belong to them",
    {
      "Cargo.toml":
        '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\nautotests = false\n[[test]]\nname = "odd"\npath = "checks/odd.rs"\n[[example]]\nname = "shown"\ntest = true\n',
      "src/lib.rs": "mod unit;\npub mod plain;\n",
      "src/unit.rs": "mod deep;\n",
      "src/unit/deep.rs": "#[test]\nfn a() {}\n",
      "src/plain.rs": "",
      "src/lost.rs": "#[test]\nfn never() {}\n",
      "checks/odd.rs": "",
      "tests/out.rs": "#[test]\nfn never() {}\n",
      "examples/shown.rs": "fn main() {}\n#[test]\nfn b() {}\n",
      "examples/other.rs": "fn main() {}\n#[test]\nfn never() {}\n",
    },
    ["checks/odd.rs", "examples/shown.rs", "src/lib.rs", "src/unit/deep.rs"],
  ],
];

const here = await runnersHere();
for (const [at, [runner, what, files, expected]] of lists.entries()) {
  const tags = at === 0 ? [] : ["ci"];
  test.skipIf(!here.has(runner))(`${runner} lists ${what} (faults P2, R8)`, { tags }, async () => {
    const { files: found, doubt } = await listed(runner, files);
    expect({ found, doubt }).toEqual({ found: expected, doubt: null });
  });
}

test.each<readonly [string, string, Files, string]>([
  [
    "an unknown runner",
    "node --test && npx playwright test --project=chromium",
    {},
    "`playwright test --project=chromium`, which no runner of Mettle can execute",
  ],
  [
    "another runner",
    "node --test && npm run more",
    { "more/c.js": "", ".mocharc.json": '{ "spec": "more" }' },
    "`mocha --exit` (more/c.js), which no proof executes",
  ],
  [
    "another environment",
    "node --test && STAGE=int node --test int/b.js",
    { "int/b.js": "" },
    "`node:test int/b.js` (int/b.js), which no proof executes",
  ],
])(
  "tests that %s runs in a later part are in doubt and named",
  { tags: "ci" },
  async (_what, text, files, part) => {
    const scripts = { test: text, more: "mocha --exit", pretest: "node --test test/a.js" };
    const given = { ...files, "test/a.js": "", "package.json": JSON.stringify({ scripts }) };
    const { files: found, doubt } = await listed("node:test", given);
    expect({ found, doubt }).toEqual({ found: ["test/a.js"], doubt: `the test script also runs ${part}` });
  },
);

inCi("a runner without a list is quoted, and the usual files run in doubt", async () => {
  const { files, doubt } = await listed("vitest", {
    "tests/a.test.js": "",
    "vitest.config.js": 'throw new Error("it needs the moon");\n',
  });
  expect(files).toEqual(["tests/a.test.js"]);
  expect(doubt).toMatch(/^vitest gave no list of test files \(exit code 1\): [^]*it needs the moon/);
});

inCi("the runner lists the files once for each content, and node:test once for the same names", async () => {
  const asked: string[] = [];
  const ports = { ...project.ports, progress: (what: string) => void asked.push(what) };
  const original = project.ports;
  const lists = async (runner: string, files: Files) => {
    asked.length = 0;
    const { files: found } = await listed(runner, files);
    return [asked.length, found];
  };
  Object.assign(project, { ports });
  const file = "tests/once.test.js";
  expect(await lists("node:test", { [file]: "// one\n" })).toEqual([1, [file]]);
  expect(await lists("node:test", { [file]: "// two\n", "README.md": "" })).toEqual([0, [file]]);
  const more = "tests/more.test.js";
  expect(await lists("node:test", { [file]: "", [more]: "" })).toEqual([1, [more, file]]);
  expect(await lists("mocha", { [file]: "// one\n", "package.json": script("mocha tests") })).toEqual([
    1,
    [file],
  ]);
  expect(await lists("mocha", { [file]: "// one\n", "package.json": script("mocha tests") })).toEqual([
    0,
    [file],
  ]);
  expect(await lists("mocha", { [file]: "// two\n", "package.json": script("mocha tests") })).toEqual([
    1,
    [file],
  ]);
  Object.assign(project, { ports: original });
});
