// @module-tag ci
/** Mutants of changed lines with each runner: which tests execute them, and which notice them. */
import { describe, expect } from "vitest";
import { proofProject } from "../../../test/proof-project.ts";
import { verifies } from "../../../test/verifies.ts";
import { programOf } from "../../evidence/fixtures/run-native.ts";
import { pytest } from "../../evidence/runners/pytest.ts";
import type { Executor } from "../ports.ts";
import { executeProgram } from "../execute/start-program.ts";
import { unittest } from "../../evidence/runners/unittest.ts";

interface Story {
  readonly runner: string;
  readonly base: Readonly<Record<string, string>>;
  readonly test: Readonly<Record<string, string>>;
  readonly source: Readonly<Record<string, string>>;
  readonly required: readonly string[];
  readonly findings: readonly string[];
  readonly words: string;
  /** Starts of the runner with the new test. */
  readonly starts: number;
}

const grade = (
  types: boolean,
) => `export function grade(points${types ? ": number" : ""})${types ? ": string" : ""} {
  if (points > 50) {
    return "good";
  }
  return "bad";
}
export const rest = (points${types ? ": number" : ""}) =>
  100 - points;
`;

const scriptTest = (imports: string, ending: string) => ({
  [`tests/grade.test.${ending}`]: `${imports}
describe("grades", () => {
  it("AC-1 is good", () => { expect(grade(60)).toBe("good"); });
});
`,
});

const findings = (ending: string) => [
  `src/grade.${ending}:2: no test fails with \`true\` in place of \`points > 50\`: add one that does`,
  `src/grade.${ending}:2: no test fails with \`points >= 50\` in place of \`points > 50\`: add one that does`,
  `src/grade.${ending}:5: no test executes this line, so none fails with \`""\` in place of \`"bad"\`: add one that does`,
  `src/grade.${ending}:7: no test fails with \`() => undefined\` in place of \`(points${ending === "ts" ? ": number" : ""}) => 100 - points\`: add one that does`,
  `src/grade.${ending}:8: no test executes this line, so none fails with \`100 + points\` in place of \`100 - points\`: add one that does`,
];

const python = `def grade(points):
    if points > 50:
        return "good"
    return "bad"


def rest(points):
    return 100 - points
`;

const pythonStory = (runner: string, test: string, required: string): Story => ({
  runner,
  base: {
    "src/__init__.py": "",
    "tests/test_old.py":
      "import unittest\n\nclass Old(unittest.TestCase):\n    def test_old(self):\n        self.assertEqual(1, 1)\n",
  },
  test: { "tests/test_grade.py": test },
  source: { "src/grade.py": python },
  required: [required],
  findings: [
    "src/grade.py:2: no test fails with `True` in place of `points > 50`: add one that does",
    "src/grade.py:2: no test fails with `>=` in place of `>`: add one that does",
    "src/grade.py:2: no test fails with `(50 + 1)` in place of `50`: add one that does",
    'src/grade.py:4: no test executes this line, so none fails with `None` in place of `"bad"`: add one that does',
    'src/grade.py:4: no test executes this line, so none fails with `""` in place of `"bad"`: add one that does',
    "src/grade.py:8: no test executes this line, so none fails with `None` in place of `100 - points`: add one that does",
    "src/grade.py:8: no test executes this line, so none fails with `+` in place of `-`: add one that does",
    "src/grade.py:8: no test executes this line, so none fails with `(100 + 1)` in place of `100`: add one that does",
  ],
  words: "4 of 12 mutants noticed by tests",
  starts: 10,
});

const stories: readonly Story[] = [
  {
    runner: "vitest",
    base: {
      "package.json":
        '{ "type": "module", "devDependencies": { "vitest": "*" }, "scripts": { "test": "vitest run" } }\n',
      "tests/old.test.ts":
        'import { expect, it } from "vitest";\nit("is old", () => { expect(1).toBe(1); });\n',
    },
    test: scriptTest(
      'import { describe, expect, it } from "vitest";\nimport { grade } from "../src/grade.ts";',
      "ts",
    ),
    source: { "src/grade.ts": grade(true) },
    required: ["tests/grade.test.ts::grades::AC-1 is good"],
    findings: findings("ts"),
    words: "5 of 10 mutants noticed by tests",
    starts: 5,
  },
  {
    runner: "jest",
    base: {
      "package.json": '{ "devDependencies": { "jest": "*" }, "scripts": { "test": "jest" } }\n',
      "tests/old.test.js": 'it("is old", () => { expect(1).toBe(1); });\n',
    },
    test: scriptTest('const { grade } = require("../src/grade.js");', "js"),
    source: {
      "src/grade.js": grade(false).replaceAll("export ", "").concat("module.exports = { grade, rest };\n"),
    },
    required: ["tests/grade.test.js::grades::AC-1 is good"],
    findings: findings("js"),
    words: "6 of 11 mutants noticed by tests",
    starts: 6,
  },
  {
    runner: "mocha",
    base: {
      "package.json":
        '{ "type": "module", "devDependencies": { "mocha": "*" }, "scripts": { "test": "mocha tests" } }\n',
      "tests/old.test.js":
        'import assert from "node:assert";\nit("is old", () => { assert.equal(1, 1); });\n',
    },
    test: {
      "tests/grade.test.js": `import assert from "node:assert";
import { grade } from "../src/grade.js";
describe("grades", () => { it("AC-1 is good", () => { assert.equal(grade(60), "good"); }); });
`,
    },
    source: { "src/grade.js": grade(false) },
    required: ["tests/grade.test.js::grades::AC-1 is good"],
    findings: findings("js"),
    words: "5 of 10 mutants noticed by tests",
    starts: 11,
  },
  {
    runner: "node:test",
    base: {
      "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
      "tests/old.test.js":
        'import test from "node:test";\nimport assert from "node:assert";\ntest("is old", () => { assert.equal(1, 1); });\n',
    },
    test: {
      "tests/grade.test.js": `import { describe, it } from "node:test";
import assert from "node:assert";
import { grade } from "../src/grade.js";
describe("grades", () => { it("AC-1 is good", () => { assert.equal(grade(60), "good"); }); });
`,
    },
    source: { "src/grade.js": grade(false) },
    required: ["tests/grade.test.js::grades::AC-1 is good"],
    findings: findings("js"),
    words: "5 of 10 mutants noticed by tests",
    starts: 5,
  },
  pythonStory(
    "pytest",
    'from src.grade import grade\n\n\ndef test_ac_1_is_good():\n    assert grade(60) == "good"\n',
    "tests/test_grade.py::test_ac_1_is_good",
  ),
  pythonStory(
    "unittest",
    'import unittest\nfrom src.grade import grade\n\n\nclass Grade(unittest.TestCase):\n    def test_ac_1_is_good(self):\n        self.assertEqual(grade(60), "good")\n',
    "tests/test_grade.py::Grade::test_ac_1_is_good",
  ),
];

const found = await Promise.all(
  [pytest, unittest].map(async (runner) => ((await programOf(runner)) === null ? [runner.name] : [])),
);
const absent = new Set(found.flat());

describe.each(stories.filter(({ runner }) => !absent.has(runner)))("$runner", (story) => {
  verifies(["CORE-31", "PRV-19"], `survivors of changed lines with ${story.runner}`, async () => {
    const project = await proofProject(story.base, { modules: true });
    const red = await project.commitOn(project.base, story.test);
    const head = await project.commitOn(red, story.source);
    let starts = 0;
    const execute: Executor = (start) => {
      if (start.argv.some((word) => word.includes("grade"))) starts += 1;
      return executeProgram(start);
    };
    const ports = { ...project.ports, execute, controls: { mutation: { budget: "5m" as const } } };
    const { verdict, drafts } = await project.green({
      ports,
      red,
      head,
      required: story.required,
      criteria: ["AC-1"],
    });
    expect(verdict.checks.filter((check) => check.verdict !== "pass")).toEqual([]);
    const missing = verdict.findings.filter(({ code }) => code === "missing_test");
    expect(missing.map(({ message }) => message)).toEqual(story.findings);
    expect(drafts.at(-1)?.controls["mutants"]).toBe(story.words);
    // Its tests and controls need three; one more serves many mutants where test files have modules of their own.
    expect(starts).toBeLessThanOrEqual(story.starts);
  });
});
