/**
 * One run of two cycles with tests in one file, on the real gates; each fault is judged at its point in the run.
 * @module-tag ci
 */
import { beforeAll, describe, expect, test } from "vitest";
import { reasonsOf } from "../../src/engine/checks/reasons.ts";
import { verifies } from "../verifies.ts";
import { samples, wide } from "../wide.ts";
import { failing, type ByHand, type Files } from "./by-hand.ts";
import { addTest, first, greenSums, head, sumsInOneFile } from "./sums.ts";

const stronger = addTest("assert.equal(add(1, 2), 3);\n  assert.equal(add(0, 2), 2);");
const simplerAdd = "export function add(left, right) {\n  return left + right;\n}\n";
const simpler: Files = { "src/add.js": simplerAdd };

let hand: ByHand;
beforeAll(async () => {
  hand = await greenSums(stronger, sumsInOneFile());
  await hand.say("RTC");
});

/** Two tests of the first cycle. */
function again(body: string): string {
  return `${addTest(body)["test/add.test.js"]}test("Q1 again", () => { assert.equal(add(2, 2), 4); });\n`;
}

describe("QA's refactoring", () => {
  const faults: Readonly<Record<string, readonly [Files, string, RegExp]>> = {
    "that touches the source": [{ ...stronger, ...simpler }, "paths", /also changed: src\/add\.js/],
    "that touches tests of another cycle": [
      { "test/old.test.js": `${head}test("old is one", () => { assert.ok(1); });\n` },
      "paths",
      /only the tests of this cycle \(test\/add\.test\.js\).*test\/old\.test\.js/,
    ],
    "that drops a test": [
      addTest("assert.equal(add(1, 2), 3);", "Q1 renamed"),
      "required",
      /1 not in the report: test\/add\.test\.js::Q1 adds/,
    ],
    "that fails on the source that is there": [
      addTest("assert.equal(add(1, 2), 4);"),
      "required",
      /1 failed: test\/add\.test\.js::Q1 adds/,
    ],
    "that weakens a test": [
      addTest("assert.equal(typeof add, 'function');"),
      "not_weakened",
      /without the implementation of this cycle its tests must fail as in RED; fails: .*1 test passes before/,
    ],
  };
  for (const [fault, [files, check, reason]] of samples(Object.entries(faults), ([, [, check]]) => check))
    verifies("CORE-33", `QA's refactoring ${fault} is refused`, async () => {
      const verdict = await hand.judge("test_refactor", files);
      expect(failing(verdict)).toContain(check);
      expect(reasonsOf(verdict).join("\n")).toMatch(reason);
    });

  test("that changes nothing passes, and leaves the tests frozen", async () => {
    const verdict = await hand.judge("test_refactor", {});
    expect([verdict.outcome, failing(verdict)]).toEqual(["pass", []]);
    expect(hand.context.session.view.frozen?.required).toEqual([first]);
  });

  // It drops the test of zero; its other tests still fail without the implementation.
  test("that adds a test freezes it too", async () => {
    await hand.judge("test_refactor", { "test/add.test.js": again("assert.equal(add(1, 2), 3);") });
    expect(failing(await hand.gate())).toEqual([]);
    expect(hand.context.session.view.frozen?.required).toEqual([first, "test/add.test.js::Q1 again"]);
    await hand.say("RIC");
  });
});

describe("DE's refactoring", () => {
  const faults: Readonly<Record<string, readonly [Files, string]>> = {
    "that touches a frozen test": [{ ...simpler, ...stronger }, "frozen"],
    "that touches more than source": [{ ...simpler, Makefile: "all:\n" }, "paths"],
    "that breaks the tests": [{ "src/add.js": "export const add = (a, b) => a * b;\n" }, "required"],
    "that only the tests of before its refactoring find broken": [
      { "src/add.js": "export const add = (a, b) => (a === 0 ? 0 : a + b);\n" },
      "old_tests",
    ],
  };
  for (const [fault, [files, check]] of Object.entries(faults))
    verifies("CORE-33", `DE's refactoring ${fault} is refused`, async () => {
      const verdict = await hand.judge("impl_refactor", files);
      expect(failing(verdict)).toContain(check);
      expect(verdict.outcome).toBe("fail");
    });

  test("that changes nothing, or only the style, passes", async () => {
    const unchanged = await hand.judge("impl_refactor", {});
    expect([unchanged.outcome, failing(unchanged)]).toEqual(["pass", []]);
    await hand.judge("impl_refactor", simpler);
    const verdict = await hand.gate();
    expect([verdict.outcome, failing(verdict)]).toEqual(["pass", []]);
  });
});

/** Both roles deliver the pass, and both stages pass. */
async function pass(source: Files): Promise<void> {
  await hand.say("RTC");
  await hand.judge("test_refactor", {});
  expect(failing(await hand.gate())).toEqual([]);
  await hand.say("RIC");
  await hand.judge("impl_refactor", source);
  expect(failing(await hand.gate())).toEqual([]);
}

describe("the end of a refactoring", () => {
  verifies("CORE-33", "without the approval of both roles the refactoring begins again", async () => {
    await hand.say("APPROVED");
    await hand.say("NEEDS_CHANGE");
    expect(failing(await hand.gate())).toEqual([]);
    expect(hand.state()).toMatch(/test$/u);
  });

  verifies("CORE-33", "a new export is refused although both roles approved it", async () => {
    await pass({ "src/add.js": `${simplerAdd}export const extra = 1;\n` });
    await hand.say("APPROVED");
    await hand.say("APPROVED");
    expect(failing(await hand.gate())).toEqual([]);
    const verdict = await hand.gate();
    expect(failing(verdict)).toEqual(["Interface consistency", "Ready for next cycle"]);
    expect(reasonsOf(verdict).join("\n")).toContain(
      "a refactoring must keep the public interface; restore: src/add.js has extra",
    );
    await pass(simpler);
  });
});

test.runIf(wide)(
  "QA's refactoring in a later cycle weakens no test of an earlier one in the same file",
  async () => {
    await hand.say("APPROVED");
    await hand.say("APPROVED");
    await hand.gate();
    expect(failing(await hand.gate())).toEqual([]);
    const both = (body: string, how: string) => ({
      "test/add.test.js": `${again(body)}import { twice } from "../src/twice.js";\ntest("Q2 doubles", () => { assert.${how}(twice(2), 4); });\n`,
    });
    await hand.work("red", "RC", both("assert.equal(add(1, 2), 3);", "equal"));
    expect(failing(await hand.gate())).toEqual([]);
    await hand.work("green", "GC", { "src/twice.js": "export const twice = (n) => n * 2;\n" });
    expect(failing(await hand.gate())).toEqual([]);
    await hand.say("RTC");
    const weak = await hand.judge("test_refactor", both("assert.equal(typeof add, 'function');", "equal"));
    expect(failing(weak)).toEqual(["earlier_tests"]);
    const fair = await hand.judge("test_refactor", both("assert.equal(add(1, 2), 3);", "strictEqual"));
    expect([fair.outcome, failing(fair)]).toEqual(["pass", []]);
  },
);
