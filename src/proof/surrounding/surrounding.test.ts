/** GREEN in another surrounding: code that decides by its surrounding is refused, honest tests with time and chance pass. */
import { expect, test } from "vitest";
import { failedChecks } from "../../../test/support/failed-checks.ts";
import { proofProject } from "../../../test/proof-project.ts";
import { inCi } from "../../../test/verifies.ts";
import { programOf } from "../../evidence/fixtures/run-native.ts";
import { pytest } from "../../evidence/runners/pytest.ts";

interface World {
  readonly base: Readonly<Record<string, string>>;
  readonly file: string;
  readonly tests: string;
  readonly required: readonly string[];
  readonly source: string;
}

const named = (file: string, titles: readonly string[]) => titles.map((title) => `${file}::${title}`);

const node: World = {
  base: { "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n', "src/old.js": "" },
  file: "tests/add.test.js",
  tests: `import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../src/add.js";
test("FR1 adds", () => assert.equal(add(1, 2), 3));
test("FR2 adds more", () => assert.equal(add(2, 3), 5));
`,
  required: named("tests/add.test.js", ["FR1 adds", "FR2 adds more"]),
  source: "src/add.js",
};

const vitest: World = {
  ...node,
  base: { "package.json": '{ "type": "module", "devDependencies": { "vitest": "*" } }\n', "src/old.js": "" },
  tests: `import { expect, test } from "vitest";
import { add } from "../src/add.js";
test("FR1 adds", () => { expect(add(1, 2)).toBe(3); });
test("FR2 adds more", () => { expect(add(2, 3)).toBe(5); });
`,
};

const python: World = {
  base: { "pytest.ini": "[pytest]\n", "src/old.py": "" },
  file: "tests/test_add.py",
  tests: `from src.add import add
def test_adds():
    assert add(1, 2) == 3
def test_adds_more():
    assert add(2, 3) == 5
`,
  required: named("tests/test_add.py", ["test_adds", "test_adds_more"]),
  source: "src/add.py",
};

const year = new Date().getFullYear();

/** Cause -> the line that reads it, and source that gives right answers only where the tests run first. */
const decidesBy: Readonly<Record<string, readonly [line: number, source: string]>> = {
  "another date": [1, `export const add = (a, b) => (new Date().getFullYear() > ${year} ? 0 : a + b);\n`],
  "another time zone": [
    1,
    "export const add = (a, b) => (new Date(2026, 1, 1).getTimezoneOffset() === 0 ? a + b : 0);\n",
  ],
  "another folder": [
    2,
    'const isProof =\n  process.cwd().includes("proof.");\nexport const add = (a, b) => (isProof ? a + b : 0);\n',
  ],
  "another call stack": [
    2,
    'export function add(a, b) {\n  return new Error().stack.includes("add.test") ? a + b : 0;\n}\n',
  ],
  "another order of tests": [
    3,
    "const answers = [3, 5];\nlet calls = 0;\nexport const add = () => answers[calls++];\n",
  ],
};

async function change(world: World, source: string) {
  const project = await proofProject(world.base, { modules: world === vitest });
  const red = await project.commitOn(project.base, { [world.file]: world.tests });
  const head = await project.commitOn(red, { [world.source]: source });
  return { project, request: { red, head, required: world.required } };
}

async function green(world: World, source: string) {
  const { project, request } = await change(world, source);
  return project.green(request);
}

async function expectDependent(world: World, cause: string, [line, source]: readonly [number, string]) {
  const proof = await green(world, source);
  const refused = proof.verdict.checks.filter((check) => check.verdict !== "pass");
  expect(refused.map(({ name }) => name)).toEqual(["surrounding"]);
  expect(refused[0]?.reason).toContain(`fails with ${cause}, and ${world.source}:${line} reads`);
  const findings = proof.verdict.findings.filter(({ code }) => code === "environment_dependent");
  expect(findings.map(({ severity, path }) => ({ severity, path }))).toContainEqual({
    severity: "block",
    path: world.source,
  });
}

const byVariable = `const { env } = process;
export const add = (a, b) => (env.NODE_TEST_CONTEXT === undefined ? 0 : a + b);
`;

test("node:test: code that decides by a variable of the runner is refused", async () => {
  const { project, request } = await change(node, byVariable);
  const proof = await project.green(request);
  expect(failedChecks(proof.verdict)).toEqual([
    `fail surrounding: environment_dependent: ${node.required.map((id) => `${id} fails with other environment variables, and src/add.js:1 reads \`{ env } = process\``).join(", ")}; give the code such values as arguments, set them in the test, or let a person accept the test: mettle resume RUN --accept-test ID`,
  ]);
});

inCi("a person can accept the tests, and the settings can switch the control off", async () => {
  const { project, request } = await change(node, byVariable);
  const accepted = await project.green({ ...request, accepted: node.required });
  expect(failedChecks(accepted.verdict)).toEqual([]);
  const off = await project.green({
    ...request,
    ports: { ...project.ports, controls: { surrounding: false } },
  });
  expect(off.drafts.at(-1)?.controls["surrounding"]).toBe("not measured (switched off in the settings)");
});

test("code that reads nothing of its surrounding costs no run", async () => {
  const proof = await green(node, "export const add = (a, b) => a + b;\n");
  expect(proof.verdict.checks.map(({ name }) => name)).not.toContain("surrounding");
  expect(failedChecks(proof.verdict)).toEqual([]);
  expect(proof.drafts.at(-1)?.controls["surrounding"]).toBe(
    "not measured (the change reads nothing of its surrounding)",
  );
  expect(proof.drafts.map(({ purpose }) => purpose)).not.toContain("green.surrounding");
});

for (const [cause, source] of Object.entries(decidesBy))
  inCi(`node:test: code that decides by ${cause} is refused`, () => expectDependent(node, cause, source));

for (const cause of ["another date", "another folder"])
  inCi(`vitest: code that decides by ${cause} is refused`, () =>
    expectDependent(vitest, cause, decidesBy[cause] ?? [0, ""]),
  );

inCi("vitest: code that decides by a variable of the runner is refused", () =>
  expectDependent(vitest, "other environment variables", [
    1,
    "export const add = (a, b) => (process.env.VITEST ? a + b : 0);\n",
  ]),
);

inCi("vitest: code that writes less to its log under test passes (PRV-17)", async () => {
  const { project, request } = await change(
    vitest,
    'if (process.env.NODE_ENV !== "test") console.log("loaded");\nexport const add = (a, b) => a + b;\n',
  );
  const { verdict, drafts } = await project.green(request);
  expect(failedChecks(verdict)).toEqual([]);
  expect(drafts.at(-1)?.controls["surrounding"]).toMatch(/: all passed$/u);
});

const pythonDecidesBy: Readonly<Record<string, readonly [line: number, source: string]>> = {
  "another date": [
    3,
    `import datetime\ndef add(a, b):\n    return a + b if datetime.datetime.now().year == ${year} else 0\n`,
  ],
  "other environment variables": [
    3,
    'import os\ndef add(a, b):\n    return a + b if "PYTEST_CURRENT_TEST" in os.environ else 0\n',
  ],
  "another folder": [3, 'import os\ndef add(a, b):\n    return a + b if "proof." in os.getcwd() else 0\n'],
  "another order of tests": [3, "ANSWERS = iter([3, 5])\ndef add(a, b):\n    return next(ANSWERS)\n"],
};

if ((await programOf(pytest)) !== null)
  for (const [cause, source] of Object.entries(pythonDecidesBy))
    inCi(`pytest: code that decides by ${cause} is refused`, () => expectDependent(python, cause, source));

inCi("honest code with time, chance, paths, variables and counters passes", async () => {
  const project = await proofProject(node.base);
  const red = await project.commitOn(project.base, { "tests/shop.test.js": honestTests });
  const head = await project.commitOn(red, { "src/shop.js": honest });
  const titles = ["age", "later", "chance", "fixture", "option", "log", "ids", "day"];
  const proof = await project.green({ red, head, required: named("tests/shop.test.js", titles) });
  expect(failedChecks(proof.verdict)).toEqual([]);
  expect(proof.drafts.at(-1)?.controls["surrounding"]).toBe(
    "8 with another folder, another time zone, other environment variables, another date: all passed",
  );
});

const honest = `import { readFileSync } from "node:fs";
export const age = (born, now = Date.now()) => Math.floor((now - born) / 31_557_600_000);
export const later = (ms) => new Date(Date.now() + ms);
export const roll = () => 1 + Math.floor(Math.random() * 6);
export const read = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
export const level = () => process.env.LOG_LEVEL ?? "info";
export const line = (text) => \`\${new Date().toISOString()} \${text}\`;
let next = 1;
export const id = () => \`id-\${next++}\`;
export const day = (date) => date.toISOString().slice(0, 10);
`;
const honestTests = `import assert from "node:assert/strict";
import { test } from "node:test";
import { age, day, id, later, level, line, read, roll } from "../src/shop.js";
test("age", () => { assert.equal(age(0, 63_115_200_000), 2); assert.ok(age(0) > 50); });
test("later", () => { const before = Date.now(); assert.ok(later(1000).getTime() >= before + 1000); });
test("chance", () => { assert.ok(roll() <= 6); });
test("fixture", () => { assert.match(read("shop.js"), /readFileSync/); });
test("option", () => { process.env.LOG_LEVEL = "debug"; assert.equal(level(), "debug"); delete process.env.LOG_LEVEL; assert.equal(level(), "info"); });
test("log", () => { assert.equal(line("a").slice(0, 4), new Date().toISOString().slice(0, 4)); });
test("ids", () => { assert.notEqual(id(), id()); });
test("day", () => { assert.equal(day(new Date(Date.UTC(2026, 0, 31))), "2026-01-31"); });
`;
