/**
 * The canary (verification 0.5): files that import the real test files and then assert something false. Run beside the
 * frozen tests they must fail; if one passes, the code under test has replaced the matchers.
 */
import { writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Canary } from "../../gates/controls.ts";
import { newId } from "../../lib/ids.ts";
import type { Checkout } from "./checkout.ts";
import type { TestRun } from "./execute.ts";

export interface CanaryRequest {
  readonly checkout: Checkout;
  readonly runner: string;
  /** Test files that hold required tests. */
  readonly files: readonly string[];
  run(files: readonly string[]): Promise<TestRun>;
}

const title = "mettle canary: this must fail";

export async function runCanary({ checkout, runner, files, run }: CanaryRequest): Promise<Canary> {
  const bodies = canaries[runner];
  if (bodies === undefined) return { state: "not measured", why: `no canary for ${runner}` };
  const wrappers = new Map<string, string>();
  for (const file of files) {
    const name = `mettle-canary-${newId()}.test.mjs`;
    const wrapper = dirname(file) === "." ? name : `${dirname(file)}/${name}`;
    await writeFile(
      join(checkout.path, wrapper),
      `import ${JSON.stringify(`./${basename(file)}`)};\n${bodies}`,
    );
    wrappers.set(wrapper, file);
  }
  const { suite } = await run([...wrappers.keys()]);
  if (suite.environment !== null || !suite.report.report)
    return { state: "not measured", why: "its run gave no report" };
  const states = [...wrappers].map(([wrapper, file]) => ({
    file,
    states: statesOf(suite.report.tests, wrapper),
  }));
  const passed = states.filter(({ states: all }) => all.some(({ status }) => status === "passed"));
  if (passed.length > 0) return { state: "passed", files: passed.map(({ file }) => file) };
  const held = states.every(
    ({ states: all }) => all.length > 0 && all.every(({ kind }) => kind === "assertion"),
  );
  return held ? { state: "held" } : { state: "not measured", why: "it could not run beside the tests" };
}

function statesOf(tests: TestRun["suite"]["report"]["tests"], wrapper: string) {
  return tests.filter(({ id }) => id.startsWith(`${wrapper}::`) && id.includes(title));
}

/** One test for each family of matchers, so that replacing any of them shows. */
const canaries: Readonly<Record<string, string>> = {
  vitest: [
    'import { test, expect } from "vitest";',
    `test("${title} 1", () => { expect(1).toBe(2); });`,
    `test("${title} 2", () => { expect({ a: 1 }).toEqual({ a: 2 }); });`,
    `test("${title} 3", () => { expect({ a: 1 }).toStrictEqual({ a: 2 }); });`,
    "",
  ].join("\n"),
  "node:test": [
    'import test from "node:test";',
    'import assert from "node:assert";',
    'import strict from "node:assert/strict";',
    `test("${title} 1", () => { assert.equal(1, 2); });`,
    `test("${title} 2", () => { strict.equal(1, 2); });`,
    `test("${title} 3", () => { assert.deepEqual({ a: 1 }, { a: 2 }); });`,
    `test("${title} 4", () => { strict.deepEqual({ a: 1 }, { a: 2 }); });`,
    `test("${title} 5", () => { assert.strictEqual(1, 2); });`,
    `test("${title} 6", () => { assert.deepStrictEqual({ a: 1 }, { a: 2 }); });`,
    `test("${title} 7", () => { assert(false); });`,
    "",
  ].join("\n"),
};
