import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testFailureOf } from "../../src/gates/cycle/test-failure.ts";
import { findingsOf } from "../../src/engine/checks/reasons.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { samples, wide } from "../wide.ts";
import { failing, rowsOf, type ByHand, type Files } from "./by-hand.ts";
import { add, addTest, first, honest, sums, sumsWithTest } from "./sums.ts";

const hands: ByHand[] = [];
/** Outside every checkout; it exists after the first run. */
const mark = join(tmpdir(), `mettle-flaky-${process.pid}`);
afterAll(() => rm(mark, { force: true }));

/** Up to DE's commit; a flaky test fails the first time after GREEN and passes from then on. */
async function afterGreen(tests: Files = honest, world = sums()): Promise<ByHand> {
  const hand = await world;
  hands.push(hand);
  await hand.work("red", "RC", tests);
  expect(failing(await hand.gate())).toEqual([]);
  await hand.say("GC");
  return hand;
}

const [passing, minimal, untouched] = [
  "Tests passing",
  "Minimal implementation",
  "No test modifications",
] as const;

describe("the GREEN gate of a cycle", () => {
  let hand: ByHand;
  let tested: ByHand;
  beforeAll(async () => {
    hand = await afterGreen();
    if (wide) tested = await afterGreen(honest, sumsWithTest());
  });

  const faults: Readonly<Record<string, readonly [Files, string, string]>> = {
    "an edited test": [{ ...add, ...addTest("assert.ok(add);") }, untouched, "fail.quality"],
    "a renamed test": [
      { ...add, "test/add.test.js": null, "test/sum.test.js": honest["test/add.test.js"] },
      untouched,
      "fail.quality",
    ],
    "a link in the place of a test": [
      { ...add, "test/add.test.js": { link: "../src/add.js" } },
      untouched,
      "fail.quality",
    ],
    "a configuration that leads tests elsewhere": [
      { ...add, "vitest.config.js": 'export default { resolve: { alias: { "../src": "./fake" } } };\n' },
      untouched,
      "fail.quality",
    ],
    "a build file beside the source": [{ ...add, Makefile: "all:\n" }, minimal, "fail.quality"],
    "code that ends the process early": [
      { "src/add.js": "process.exit(0);\nexport const add = () => 3;\n" },
      passing,
      "fail.tests",
    ],
  };
  const faultsOfOld: typeof faults = {
    "a deleted test": [{ ...add, "test/old.test.js": null }, untouched, "fail.quality"],
    "an earlier test that fails": [
      { ...add, "src/old.js": "export const old = 2;\n" },
      passing,
      "fail.tests",
    ],
  };
  for (const [fault, [files, row, outcome]] of samples(
    Object.entries({ ...faults, ...faultsOfOld }),
    ([, [, row]]) => row,
  ))
    verifies("TDP-34", `refuses ${fault} in the row "${row}"`, async () => {
      const verdict = await (fault in faultsOfOld ? tested : hand).judge("green", files);
      expect(rowsOf(verdict).filter((line) => line.startsWith("fail"))).toEqual([`fail ${row}`]);
      expect(verdict.outcome).toBe(outcome);
    });

  verifiesInCi("TDP-34", "accepts the honest implementation", async () => {
    const verdict = await hand.judge("green", add);
    expect([verdict.outcome, rowsOf(verdict)]).toEqual([
      "pass",
      [`pass ${passing}`, `review ${minimal}`, `pass ${untouched}`],
    ]);
  });
});

describe("a failing GREEN gate classifies the fault", { tags: "ci" }, () => {
  const wrong: Files = { "src/add.js": "export const add = (a, b) => a - b;\n" };
  const path = JSON.stringify(mark);
  const flaky = (id: string, more = "") =>
    addTest(
      `assert.equal(add(1, 2), 3);\n  const seen = existsSync(${path});\n  writeFileSync(${path}, "");\n  assert.ok(seen);`,
      id,
      `import { existsSync, writeFileSync } from "node:fs";\n${more}`,
    );

  test("a wrong implementation is DE's, without any further report of DE", async () => {
    const [hand] = hands;
    if (hand === undefined) throw new Error("the gate was asked before");
    const verdict = await hand.judge("green", wrong);
    expect(testFailureOf(verdict)).toEqual({ fault: "de", failing: [first] });
    expect(verdict.outcome).toBe("fail.tests");
    const repeats = hand.context.session.view.records;
    expect(repeats.every(({ purpose }) => purpose !== "green.repeat.tests")).toBe(true);
  });

  test("a flaky test is QA's", async () => {
    const hand = await afterGreen(flaky("Q1 adds"));
    await rm(mark, { force: true });
    const verdict = await hand.judge("green", add);
    expect(testFailureOf(verdict)).toEqual({ fault: "qa", failing: [first] });
    expect(findingsOf(verdict)).toEqual(
      expect.arrayContaining([
        `test_failure: qa (fault in the tests): ${first}`,
        `test_failure: qa: ${first}: flaky: it passed in 3 of 3 further runs`,
        "row: Tests passing",
      ]),
    );
  });

  test("both together are undetermined", async () => {
    const more =
      'test("Q1 adds more", () => {\n  assert.equal(add(2, 2), 4);\n  assert.equal(add(0, 2), 2);\n});\n';
    const hand = await afterGreen(flaky("Q1 adds", more));
    await rm(mark, { force: true });
    const verdict = await hand.judge("green", {
      "src/add.js": "export const add = (a, b) => (a === 0 ? 0 : a + b);\n",
    });
    expect(testFailureOf(verdict)).toEqual({
      fault: "undetermined",
      failing: ["test/add.test.js::Q1 adds more", first],
    });
  });
});
