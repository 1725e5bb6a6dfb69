/** GREEN in another surrounding: code that decides by its surrounding is refused. */
import { cpus, hostname, userInfo } from "node:os";
import { expect, test } from "vitest";
import { failedChecks } from "../../../test/support/failed-checks.ts";
import { proofProject } from "../../../test/proof-project.ts";
import { inCi, verifies } from "../../../test/verifies.ts";
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
  "another host name": [
    2,
    `import { hostname } from "node:os";\nexport const add = (a, b) => (hostname() === "${hostname()}" ? a + b : 0);\n`,
  ],
  "another user": [
    2,
    `import os from "node:os";\nexport const add = (a, b) => (os.userInfo().username === "${userInfo().username}" ? a + b : 0);\n`,
  ],
  "another count of workers": [
    2,
    `import { cpus } from "node:os";\nexport const add = (a, b) => (cpus().length === ${cpus().length} ? a + b : 0);\n`,
  ],
};

/** It answers rightly only where its flag is not there yet. */
const byFlag = (flag: string) => `import { existsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
const flag = ${flag};
const isFirst = !existsSync(flag);
writeFileSync(flag, "");
export const add = (a, b) => (isFirst ? a + b : 0);
`;

async function change(world: World, source: string) {
  const project = await proofProject(world.base, { modules: world === vitest || world === jest });
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

verifies("PRV-17", "node:test: code that decides by a variable of the runner is refused", async () => {
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

for (const cause of ["another date", "another folder", "another user"])
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
  expect(drafts.at(-1)?.controls["surrounding"]).toMatch(/: the same results$/u);
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
  "another host name": [
    3,
    `import socket\ndef add(a, b):\n    return a + b if socket.gethostname() == "${hostname()}" else 0\n`,
  ],
  "another user": [
    3,
    `import getpass\ndef add(a, b):\n    return 0 if getpass.getuser() == "mira" else a + b\n`,
  ],
  "the files of an earlier run": [
    4,
    'import os, tempfile\nFLAG = os.path.join(tempfile.gettempdir(), "ran")\ndef add(a, b):\n    if os.path.exists(FLAG + str(a)):\n        return 0\n    with open(FLAG + str(a), "w") as file:\n        file.write("")\n    return a + b\n',
  ],
  "another order of tests": [3, "ANSWERS = iter([3, 5])\ndef add(a, b):\n    return next(ANSWERS)\n"],
};

if ((await programOf(pytest)) !== null)
  for (const [cause, source] of Object.entries(pythonDecidesBy))
    inCi(`pytest: code that decides by ${cause} is refused`, () => expectDependent(python, cause, source));

for (const [place, flag] of Object.entries({
  checkout: 'new URL("../.ran", import.meta.url)',
  "folder for temporary files": "`${tmpdir()}/ran`",
}))
  inCi(`node:test: code that decides by a file that it left in the ${place} is refused`, () =>
    expectDependent(node, "the files of an earlier run", [4, byFlag(flag)]),
  );

const twoFiles: World = {
  ...python,
  tests: "from src.add import add\ndef test_adds():\n    assert add(1, 2) == 3\n",
  required: ["tests/test_add.py::test_adds", "tests/test_more.py::test_adds_more"],
};

if ((await programOf(pytest)) !== null)
  inCi(
    "pytest: code that counts its calls over files is refused, since each file has a process of its own",
    async () => {
      const project = await proofProject(twoFiles.base);
      const more = "from src.add import add\ndef test_adds_more():\n    assert add(2, 3) == 5\n";
      const tests = { [twoFiles.file]: twoFiles.tests, "tests/test_more.py": more };
      const red = await project.commitOn(project.base, tests);
      const source = "ANSWERS = iter([3, 5])\ndef add(a, b):\n    return next(ANSWERS)\n";
      const head = await project.commitOn(red, { [twoFiles.source]: source });
      const proof = await project.green({ red, head, required: twoFiles.required });
      expect(failedChecks(proof.verdict)).toEqual([
        expect.stringContaining("test_adds_more fails with another order of tests"),
      ]);
    },
  );

const jest: World = {
  ...vitest,
  base: { "package.json": '{ "devDependencies": { "jest": "*" } }\n', "src/old.js": "" },
  tests: `const { add } = require("../src/add.js");
test("FR1 adds", () => { expect(add(1, 2)).toBe(3); });
test("FR2 adds more", () => { expect(add(2, 3)).toBe(5); });
`,
};
const jestDecidesBy: Readonly<Record<string, string>> = {
  "another date": `exports.add = (a, b) => (new Date().getFullYear() > ${year} ? 0 : a + b);\n`,
  "other environment variables": "exports.add = (a, b) => (process.env.JEST_WORKER_ID ? a + b : 0);\n",
  "another host name": `exports.add = (a, b) => (require("os").hostname() === "${hostname()}" ? a + b : 0);\n`,
};
for (const [cause, source] of Object.entries(jestDecidesBy))
  inCi(`jest: code that decides by ${cause} is refused`, () => expectDependent(jest, cause, [1, source]));
