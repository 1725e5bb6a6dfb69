/**
 * Errors of assertion libraries are assertions, recognised by their shape, with each JavaScript runner (fault E6).
 * @module-tag ci
 */
import { expect, test } from "vitest";
import { runFixture } from "../fixtures/run-fixture.ts";
import { jest } from "./jest.ts";
import { mocha } from "./mocha.ts";
import { nodeTest } from "./node-test.ts";
import { vitest } from "./vitest.ts";

test.each([
  ["jest", jest],
  ["mocha", mocha],
  ["node-test", nodeTest],
  ["vitest", vitest],
] as const)(
  "%s: supertest, sinon and matchers fail by an assertion, and pass without counted assertions",
  async (folder, runner) => {
    const { report } = await runFixture(runner, folder, ["libraries.test.js"]);
    expect(report.tests.map(({ id, status, kind }) => [id.split("::")[1], status, kind])).toEqual([
      ["answers", "passed", null],
      ["answers otherwise", "failed", "assertion"],
      ["is called", "failed", "assertion"],
      ["matches", "failed", "assertion"],
      ["has its status", "failed", "assertion"],
    ]);
    expect(report.problems).toEqual([]);
  },
);
