import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseRecord } from "../../src/evidence/record.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { samples, wide } from "../wide.ts";
import { failing, rowsOf, type ByHand, type Files } from "./by-hand.ts";
import { add, addTest, first, head, honest, sums, sumsWithoutFiles, sumsWithTest } from "./sums.ts";

let hand: ByHand;
beforeAll(async () => {
  hand = await sums();
  await hand.say("RC");
});
afterAll(() => rm(JSON.parse(mark) as string, { force: true }));

const [written, tested, quality] = [
  "Tests written",
  "Tests failing",
  "Test quality meets standards",
] as const;
/** Outside every checkout; it exists after the first run. */
const mark = JSON.stringify(join(tmpdir(), `mettle-seen-${process.pid}`));
const assertion = "assert.equal(add(1, 2), 3);";

/** The fault, and the row that must report it; details of each fault are tested in red-proof.test.ts. */
const faults: Readonly<Record<string, readonly [Files, string]>> = {
  "an edit in the source": [{ ...honest, "src/old.js": "export const old = 1; // touched\n" }, written],
  "a test path that the cycle did not declare": [
    { ...honest, "test/more.test.js": `${head}test("more", () => { assert.equal(1, 2); });\n` },
    written,
  ],
  "a criterion without a test": [addTest(assertion, "adds"), written],
  "a test that passes already": [
    addTest(
      assertion,
      "Q1 adds",
      'import { old } from "../src/old.js";\ntest("passes", () => { assert.equal(old, 1); });\n',
    ),
    tested,
  ],
  "a syntax error": [addTest("assert.equal(add(1, 2), 3"), tested],
  "an error that the test throws itself": [addTest("missing(); assert.equal(add(1, 2), 3);"), tested],
  "a tautology": [addTest(assertion, "Q1 adds", 'test("is", () => { assert.equal(1, 1); });\n'), tested],
  "a test that is skipped": [
    addTest(assertion, "Q1 adds", 'test.skip("later", () => { assert.equal(add(1, 1), 2); });\n'),
    quality,
  ],
  "a test that hides the others": [
    addTest(assertion, "Q1 adds", 'test.only("alone", () => { assert.equal(add(1, 1), 2); });\n'),
    quality,
  ],
  "another result each time": [
    addTest(
      `if (existsSync(${mark})) assert.equal(1, 2);\n  writeFileSync(${mark}, "");\n  assert.equal(add(1, 2), 3);`,
      "Q1 adds",
      'import { existsSync, writeFileSync } from "node:fs";\n',
    ),
    quality,
  ],
};

describe("the RED gate of a cycle", () => {
  for (const [fault, [files, row]] of samples(Object.entries(faults), ([, [, row]]) => row))
    verifies("TDP-32", `refuses ${fault} in the row "${row}"`, async () => {
      const verdict = await hand.judge("red", files);
      expect(rowsOf(verdict)).toContain(`fail ${row}`);
      expect(verdict.outcome).toBe("fail");
    });

  verifiesInCi("TDP-32", `refuses an old test that is broken in the row "${tested}"`, async () => {
    const old = await sumsWithTest();

    await old.say("RC");
    const broken = { ...honest, "test/fixtures/x.json": "{}", "test/old.test.js": null };
    const verdict = await old.judge("red", broken);
    expect(rowsOf(verdict)).toContain(`fail ${tested}`);
    expect(verdict.outcome).toBe("fail");
  });

  verifiesInCi(
    "TDP-32",
    "has three passes for an honest commit, in the terms of either protocol",
    async () => {
      const verdict = await hand.judge("red", honest);
      expect(rowsOf(verdict)).toEqual([written, tested, quality].map((name) => `pass ${name}`));
      const riper = await sums("riper");

      await riper.work("red", "RC", honest);
      const said = await riper.gate();
      expect([failing(said), rowsOf(said)[2]]).toEqual([[], "pass Test quality meets Ψ standards"]);
    },
  );
});

test.runIf(wide)(
  "an answer to a dispute may change only the disputed test, and freezes the tests again",
  async () => {
    const hand = await sums();

    const { view } = hand.context.session;
    expect(view.frozen).toBeNull();
    const other = 'test("Q1 of zero", () => {\n  assert.equal(add(0, 0), 0);\n});\n';
    await hand.work("red", "RC", addTest("assert.equal(add(1, 2), 4);", "Q1 adds", other));
    expect(failing(await hand.gate())).toEqual([]);
    const { red } = hand.context.session.view.head;
    await hand.say("TI", `${first} asks for 4, the criterion for 3`);
    await hand.say("TA");
    const dropped = await hand.judge("red", addTest("assert.equal(add(1, 2), 3);"), red ?? "");
    expect(failing(dropped)).toEqual(["dispute"]);
    const mended = addTest("assert.equal(add(1, 2), 3);", "Q1 adds", other);
    const fixture = { ...mended, "test/fixtures/more.json": "{}" };
    expect(failing(await hand.judge("red", fixture, red ?? ""))).toEqual(["dispute"]);
    expect(failing(await hand.judge("red", mended, red ?? ""))).toEqual([]);
    expect(failing(await hand.gate())).toEqual([]);
    const { frozen, head: now } = hand.context.session.view;
    expect(frozen?.required.toSorted()).toEqual([
      "test/add.test.js::Q1 adds",
      "test/add.test.js::Q1 of zero",
    ]);
    expect([now.red !== red, frozen?.commit]).toEqual([true, now.red]);
  },
);

verifiesInCi(
  "TDP-33",
  "a unit that cannot be loaded is stubbed from the cycle's files, in a separate commit from which DE starts",
  async () => {
    const hand = await sums();

    const red = await hand.work("red", "RC", honest);
    expect(failing(await hand.gate())).toEqual([]);
    const { view } = hand.context.session;
    const gates = view.records.filter(({ purpose }) => purpose === "red");
    expect(gates.map(({ verdict, commit }) => [verdict, commit])).toEqual([
      ["fail", red],
      ["pass", red],
    ]);
    const [bare] = gates;
    const { reasons } = parseRecord(JSON.parse(await hand.context.payloads.text(bare?.ref ?? "")));
    expect(reasons.join("\n")).toMatch(/^load: test\/add\.test\.js does not load/m);
    const tests = await Promise.all(
      view.records
        .filter(({ purpose }) => purpose === "red.tests")
        .map(async ({ ref }) => parseRecord(JSON.parse(await hand.context.payloads.text(ref))).tests),
    );
    expect(tests[1]?.find(({ id }) => id === first)?.kind).toBe("not-implemented");
    const stub = view.commits.at(-1);
    expect(stub).toMatchObject({ kind: "other", parent: red, paths: ["src/add.js"] });
    expect([view.head.red, view.frozen?.commit]).toEqual([red, red]);
    const { git } = hand.world.repository;
    expect(await git("show", `${stub?.commit}:src/add.js`)).toContain("export function add");
    expect(await git("diff", "--name-only", red, stub?.commit ?? "")).toBe("src/add.js");

    await hand.say("GC");
    expect(failing(await hand.judge("green", {}))).toContain("required");
    const green = await hand.judge("green", add);
    expect([green.outcome, hand.context.session.view.commits.at(-1)?.parent]).toEqual(["pass", stub?.commit]);
  },
);

verifies(
  "TDP-33",
  "without a file that the cycle names the row fails, and reports what is missing",
  async () => {
    const hand = await sumsWithoutFiles();

    await hand.work("red", "RC", honest);
    const verdict = await hand.gate();
    expect(rowsOf(verdict)).toContain("fail Tests failing");
    expect(verdict.rows?.[1]?.why).toContain(
      "a module that does not exist yet is stubbed when the cycle of the plan names it under files",
    );
  },
);
