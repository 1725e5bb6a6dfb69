/** `mettle prove` over two commits that were made without a run (PRV-10). */
import { beforeAll, expect } from "vitest";
import { inCi, verifies, verifiesInCi } from "../verifies.ts";
import { changes, changeWorld, wrongChecks, type ChangeWorld } from "./change-world.ts";

const imports = 'import test from "node:test";\nimport assert from "node:assert/strict";\n';
let world: ChangeWorld;
beforeAll(async () => void (world = await changeWorld(Object.keys(changes))));

async function prove(head: string, ...more: readonly string[]) {
  const { code, answer } = await world.ask("prove", "--base", "main", "--head", head, ...more);
  const { verdict, findings = [], required, numbers, nothing_to_prove: isEmpty } = answer;
  const notes = findings.map(({ code: kind, message }) => `${kind}: ${message}`);
  return { code, verdict, wrong: wrongChecks(answer), notes, required, numbers, isEmpty };
}

verifies(
  "PRV-10",
  "the tests of a change on the base's source and on its own prove it, and a failure is named",
  async () => {
    expect(await prove("honest")).toMatchObject({
      code: 0,
      verdict: "pass",
      wrong: [],
      required: ["test/discount.test.js::takes a discount"],
      // No test of the change executes this line.
      notes: [
        "unexecuted_lines: changed lines that no test executed: 1 (src/cart.js:8)",
        "mutants: mutants of changed lines: not measured (switched off in the settings)",
      ],
      numbers: { unexecuted_lines: 1 },
    });
    expect(await prove("hidden")).toMatchObject({
      code: 1,
      wrong: [
        expect.stringMatching(
          /^green\.old_text: passed on the base commit and fail now with their old text.*: test\/cart\.test\.js::adds prices, test\/cart\.test\.js::is empty; .*mettle prove … --accept-test ID$/u,
        ),
      ],
    });
    expect((await world.ask("prove", "--base", "main", "--head", "nowhere")).code).toBe(2);
  },
);

verifiesInCi(
  "PRV-10",
  "each other failure of a change's tests is named",
  async () => {
    expect(await prove("passes")).toMatchObject({
      code: 1,
      wrong: [
        expect.stringContaining(
          "red.fails: 1 test passes without the change, so it does not test it: test/more.test.js::adds three",
        ),
      ],
    });
    expect(await prove("untested")).toMatchObject({
      code: 1,
      wrong: [
        expect.stringMatching(/^red\.not_empty: no test of this change fails without it/u),
        "green.required: no test is required, so nothing is proven",
      ],
    });
    expect(await prove("weakened")).toMatchObject({
      code: 1,
      wrong: [
        expect.stringMatching(
          /^weakened: test\/cart\.test\.js: the old test "adds prices" was changed; removed assertion: .*total\(\[2, 3\]\), 5\).*; now: .*ok\(total/u,
        ),
      ],
    });
    expect(await prove("regression")).toMatchObject({
      code: 1,
      wrong: [
        expect.stringMatching(/^green\.required: /u),
        "green.regressions: passed on the base commit and fails now: test/cart.test.js::adds prices, test/cart.test.js::is empty; restore what these tests prove, and let them run",
      ],
    });
    expect(await prove("skipped")).toMatchObject({
      code: 1,
      wrong: [
        "red.no_skip: no test may be hidden: test/cart.test.js:5: test.skip; remove these marks",
        expect.stringMatching(/^red\.old_tests: .*test\/cart\.test\.js::is empty \(skipped\);/u),
        "green.regressions: passed on the base commit and does not run now: test/cart.test.js::is empty (skipped); restore what these tests prove, and let them run",
      ],
    });
    expect(await prove("removed")).toMatchObject({
      code: 1,
      wrong: [
        expect.stringMatching(/^red\.old_tests: .*test\/cart\.test\.js::is empty \(gone\);/u),
        "green.regressions: passed on the base commit and does not run now: test/cart.test.js::is empty (gone); restore what these tests prove, and let them run",
      ],
    });
    // The commits do not show whether behaviour may change; the gate `refactor` checks that.
    expect(await prove("refactored")).toMatchObject({
      code: 1,
      wrong: [expect.stringMatching(/`mettle gate refactor`$/u), expect.any(String)],
    });
  },
  180_000,
);

inCi("a renamed old test with the same text is neither lost nor new", async () => {
  const { code, wrong, required } = await prove("renamed");
  expect([code, wrong, required]).toEqual([0, [], ["test/discount.test.js::takes a discount"]]);
});

inCi("an old test file that moves is neither lost nor new", async () => {
  const { code, wrong, required } = await prove("moved");
  expect([code, wrong, required]).toEqual([0, [], ["test/discount.test.js::takes a discount"]]);
});

inCi("a person accepts a failure by the test's id", async () => {
  const { code, wrong } = await prove("weakened", "--accept-test", "test/cart.test.js::adds prices");
  expect([code, wrong]).toEqual([0, []]);
});

verifiesInCi(
  "PRV-22",
  "of several old tests of one title a person accepts the one whose text changed",
  async () => {
    const head =
      'import { describe, test } from "node:test";\nimport assert from "node:assert";\nimport { fee } from "../src/fee.js";\n';
    const fees = (one: number) =>
      `${head}describe("of one", () => { test("is right", () => { assert.equal(fee(1), ${one}); }); });
describe("of none", () => { test("is right", () => { assert.equal(fee(0), 0); }); });
`;
    const base = await world.branch("fees", "main", {
      "src/fee.js": "export const fee = (count) => count;\n",
      "test/fee.test.js": fees(1),
    });
    const dearer = await world.branch("dearer", base, {
      "src/fee.js": "export const fee = (count) => count * 7;\n",
      "test/fee.test.js": fees(7),
    });
    const id = "test/fee.test.js::of one::is right";
    const { code, answer } = await world.ask("prove", "--base", base, "--head", dearer, "--accept-test", id);
    expect([code, wrongChecks(answer)]).toEqual([0, []]);
  },
);

verifiesInCi(
  "PRV-22",
  "old tests that a change makes stricter by what they share are its tests, in another file if a person accepts them",
  async () => {
    const table = (from: string) => `${imports}import { round } from "../src/round.js";
import { checks } from "${from}";
for (const given of [1, 2]) test(\`rounds \${given}\`, () => checks(round(given + 0.4), given));
`;
    const helper = (more: string) =>
      `import assert from "node:assert/strict";\nexport const checks = (found, value) => {\n  assert.equal(found.value, value);${more}\n};\n`;
    const stricter = '\n  assert.equal(found.unit, "EUR");';
    // One that fails already is none of them.
    const own = (expected: string) => ({
      "test/round.test.js": `${imports}import { round } from "../src/round.js";
const checks = (found, value) => {
  const { ${expected === "" ? "value: number" : "value: number, unit"} } = found;
  assert.equal(number, value);${expected}
};
for (const given of [1, 2]) test(\`rounds \${given}\`, () => checks(round(given + 0.4), given));
test("never works", () => assert.ok(false));
`,
    });
    const source = (more: string) => ({
      "src/round.js": `export const round = (number) => ({ value: Math.round(number)${more} });\n`,
    });
    const change = source(', unit: "EUR"');
    const required = [1, 2].map((given) => `test/round.test.js::rounds ${given}`);

    const plain = await world.branch("plain", "main", { ...source(""), ...own("") });
    const strict = await world.branch("strict", plain, {
      ...change,
      ...own('\n  assert.equal(unit, "EUR");'),
    });
    const { code, answer } = await world.ask("prove", "--base", plain, "--head", strict);
    expect([code, wrongChecks(answer), answer["required"]]).toEqual([0, [], required]);

    const shared = await world.branch("shared", "main", {
      ...source(""),
      "test/helper.js": helper(""),
      "test/round.test.js": table("./helper.js"),
    });
    const loud = await world.branch("loud", shared, { ...change, "test/helper.js": helper(stricter) });
    const ask = (...more: readonly string[]) => world.ask("prove", "--base", shared, "--head", loud, ...more);
    expect(wrongChecks((await ask()).answer)).toContainEqual(
      expect.stringMatching(/^red\.old_tests: .*rounds 1 \(failed\).*--accept-test ID$/u),
    );
    const accepted = await ask(...required.flatMap((id) => ["--accept-test", id]));
    expect([accepted.code, wrongChecks(accepted.answer), accepted.answer["required"]]).toEqual([
      0,
      [],
      required,
    ]);
  },
);

inCi("documentation and formatting prove nothing, and pass if the suite is green as before", async () => {
  for (const head of ["documented", "formatted"])
    expect(await prove(head)).toMatchObject({ code: 0, verdict: "pass", isEmpty: true, wrong: [] });
  const broken = await world.branch("broken", "main", {
    "test/broken.test.js":
      'import test from "node:test";\ntest("never", () => { throw new Error("no"); });\n',
  });
  const after = await world.branch("documented-broken", broken, { "README.md": "More.\n" });
  const { code, answer } = await world.ask("prove", "--base", broken, "--head", after);
  expect([code, wrongChecks(answer)]).toEqual([
    5,
    ["unchanged: the suite is unchanged and not green: test/broken.test.js::never fails on the base too"],
  ]);
});

inCi("the text shows what failed and the hint on one screen of 80 columns", async () => {
  const { code, text } = await world.read("prove", "--base", "main", "--head", "skipped");
  const lines = text.trimEnd().split("\n");
  expect([code, lines.length < 24, lines.every((line) => line.length <= 80)]).toEqual([1, true, true]);
  expect(text.replaceAll(/[0-9a-f]{12}/gu, "0123456789ab")).toMatchInlineSnapshot(`
    "✗ not proved
      0123456789ab → 0123456789ab, node:test

    What is wrong:
      ✗ tests that are skipped
        no test may be hidden: test/cart.test.js:5: test.skip; remove these marks
      ✗ old tests that are lost
        passed on the base commit and must still pass: test/cart.test.js::is empty
        (skipped); add new tests beside them, or let a person accept the change:
        mettle prove … --accept-test ID

    To look at:
      - test/cart.test.js: the old test "is empty" was changed; removed assertion:
        test("is empty", () => assert.equal(total([]), 0); now: test.skip("is
        empty", () => assert.equal(total([]), 0)
      - changed lines that no test executed: 1 (src/cart.js:8)
    "
  `);
});
