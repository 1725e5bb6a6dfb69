/** Mutants of the changed lines, as `mettle prove` and `mettle gate green` report them (CORE-31, PRV-19). */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { verifiesInCi } from "../verifies.ts";
import { changes, changeWorld, wrongChecks, type ChangeWorld } from "./change-world.ts";

const on = { METTLE_MUTATION_BUDGET: "" };
const world = (more: Readonly<Record<string, string>> = on): Promise<ChangeWorld> =>
  changeWorld(["honest"], undefined, "off", more);

async function prove(place: ChangeWorld, head: string, ...more: readonly string[]) {
  const { code, answer } = await place.ask("prove", "--base", "main", "--head", head, ...more);
  const { findings = [], numbers } = answer;
  const notes = findings
    .filter(({ code: kind }) => kind === "missing_test" || kind === "mutants")
    .map(({ message }) => message);
  return { code, wrong: wrongChecks(answer), notes, numbers };
}

const thorough = {
  "test/discount.test.js": `${changes["honest"]?.["test/discount.test.js"]}
test("refuses more than all", () => assert.throws(() => discounted([1], 101), { message: "percent" }));
test("takes all", () => assert.equal(discounted([8], 100), 0));
`,
};

verifiesInCi(
  ["CORE-31", "PRV-19"],
  "survivors of changed lines are listed by line as missing tests, and the second gate on the same tree runs none",
  async () => {
    const place = await world();
    const weak = {
      // The gate proves the change nevertheless: survivors block nothing.
      code: 0,
      wrong: [],
      notes: [
        "mutants of changed lines: 6 of 10 mutants noticed by tests",
        "src/cart.js:7: no test fails with `false` in place of `percent > 100`: add one that does",
        "src/cart.js:7: no test fails with `percent >= 100` in place of `percent > 100`: add one that does",
        'src/cart.js:7: no test fails with `{}` in place of `{ throw new RangeError("percent"); }`: add one that does',
        'src/cart.js:8: no test executes this line, so none fails with `""` in place of `"percent"`: add one that does',
      ],
      numbers: { surviving_mutants: 4 },
    };
    expect(await prove(place, "honest")).toMatchObject(weak);
    const known = join(place.home, "state", "mutants");
    const [file = ""] = await readdir(known);
    expect(file).toMatch(/^[0-9a-f]{64}\.json$/u);
    // Without any time nothing can run, so what is known comes from the record.
    await place.repo.write({ "mettle.yaml": "version: 1\nproof: { mutation: { budget: 1ms } }\n" });
    expect(await prove(place, "honest")).toMatchObject(weak);
  },
);

verifiesInCi(
  "CORE-31",
  "tests that notice every mutant leave none, and a part without results is said to be one",
  async () => {
    const place = await world();
    await place.branch("thorough", "honest", thorough);
    expect(await prove(place, "thorough")).toMatchObject({
      code: 0,
      notes: [],
      numbers: { surviving_mutants: 0 },
    });
    await place.branch("unknown", "honest", {
      "src/cart.js": `${changes["honest"]?.["src/cart.js"]}// Changed.\n`,
    });
    await place.repo.write({ "mettle.yaml": "version: 1\nproof: { mutation: { budget: 1ms } }\n" });
    expect((await prove(place, "unknown")).notes).toEqual([
      "mutants of changed lines: not measured (no mutant has a result in 0.001 s)",
    ]);
  },
);

verifiesInCi("CORE-31", "no mutable line and no budget are printed as not measured", async () => {
  const place = await world();
  await place.branch("constant", "main", {
    "src/rates.js": "export const low = null;\n",
    "test/rates.test.js":
      'import test from "node:test";\nimport assert from "node:assert/strict";\nimport { low } from "../src/rates.js";\ntest("has no low rate", () => assert.equal(low, null));\n',
  });
  expect(await prove(place, "constant")).toMatchObject({
    code: 0,
    notes: ["mutants of changed lines: not measured (no changed line can be mutated)"],
    numbers: { surviving_mutants: "not measured (no changed line can be mutated)" },
  });
  await place.repo.write({ "mettle.yaml": "version: 1\nproof: { mutation: { budget: 0 } }\n" });
  const off = "not measured (switched off in the settings)";
  expect(await prove(place, "honest")).toMatchObject({
    code: 0,
    notes: [`mutants of changed lines: ${off}`],
  });
  const { text } = await place.read("prove", "--base", "main", "--head", "honest");
  expect(text).toContain(`mutants of changed lines: ${off}`);
});

verifiesInCi("CORE-31", "a criterion needs a test that executes a changed line", async () => {
  const place = await world();
  const files = {
    ...changes["honest"],
    "test/text.test.js":
      'import test from "node:test";\nimport assert from "node:assert/strict";\nimport { readFileSync } from "node:fs";\ntest("AC-2 is written", () => assert.match(readFileSync("src/cart.js", "utf8"), /percent/));\n',
    "test/discount.test.js": `${changes["honest"]?.["test/discount.test.js"]}`.replace(
      "takes a",
      "AC-1 takes a",
    ),
  };
  await place.branch("unexecuted", "main", files);
  await place.repo.write({ "criteria.md": "- AC-1: takes a discount\n- AC-2: is written\n" });
  expect(await prove(place, "unexecuted", "--criteria", "criteria.md")).toMatchObject({
    code: 1,
    wrong: [
      "green.executed_criteria: no test of AC-2 executes a changed line; a test that calls the changed code is accepted",
    ],
  });
});
