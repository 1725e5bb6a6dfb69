/** What the tests of a project are given: its own variables, loaders and arguments, in a checkout of the commit alone. */
import { expect, test } from "vitest";
import { proofProject } from "../../../test/proof-project.ts";

const wrong = 'import test from "node:test";\nimport assert from "node:assert/strict";\n';

test("tests get the variables and loaders of the project's own test script (faults E1, E2, R12)", async () => {
  const project = await proofProject({
    "package.json": JSON.stringify({
      type: "module",
      scripts: {
        test: "npm run unit",
        unit: "NODE_ENV=test TZ='Europe/Berlin' HOME=/nowhere cross-env WHO=$NODE_ENV-er node --import ./hooks/load.js --test",
      },
    }),
    "hooks/load.js": "globalThis.isLoaded = true;\n",
    "src/one.js": "export const one = () => 1;\n",
    "tests/one.test.js": `${wrong}
test("surroundings", () => {
  const { NODE_ENV, TZ, WHO, HOME, NO_COLOR } = process.env;
  assert.deepEqual({ NODE_ENV, TZ, WHO, NO_COLOR }, { NODE_ENV: "test", TZ: "Europe/Berlin", WHO: "test-er", NO_COLOR: undefined });
  assert.notEqual(HOME, "/nowhere");
  assert.equal(new Date("2026-01-01T12:00:00Z").getHours(), 13);
  assert.equal(globalThis.isLoaded, true);
});
`,
  });
  try {
    const { suite } = await project.own();
    expect(suite.report.tests.map(({ status, message }) => `${status} ${message}`)).toEqual(["passed "]);
  } finally {
    await project.remove();
  }
});
