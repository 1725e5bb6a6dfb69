/** `mettle prove --characterize`: tests of existing behaviour, which pass on the base (PRV-11). */
import { expect } from "vitest";
import { inCi, verifies, verifiesInCi } from "../verifies.ts";
import { changes, changeWorld, wrongChecks, type ChangeWorld } from "./change-world.ts";

const start = `import test from "node:test";
import assert from "node:assert/strict";
import { total } from "../src/cart.js";
`;
const strong = 'test("adds three", () => assert.equal(total([1, 2, 3]), 6));\n';
const weak = 'test("runs", () => assert.doesNotThrow(() => total([1])));\n';

const world = (): Promise<ChangeWorld> =>
  changeWorld(["honest"], undefined, "off", { METTLE_MUTATION_BUDGET: "" });

async function characterize(place: ChangeWorld, head: string) {
  const { code, answer } = await place.ask("prove", "--base", "main", "--head", head, "--characterize");
  const { characterized, required } = answer;
  return { code, wrong: wrongChecks(answer), characterized, required };
}

verifiesInCi(
  "PRV-11",
  "a test of existing behaviour is proved by a mutant that it notices, and named where it notices none",
  async () => {
    const place = await world();
    await place.branch("strong", "main", { "test/more.test.js": start + strong });
    expect(await characterize(place, "strong")).toEqual({
      code: 0,
      wrong: [],
      characterized: { proved: ["test/more.test.js::adds three"], unproved: [] },
      required: [],
    });
    await place.branch("weak", "main", { "test/more.test.js": start + strong + weak });
    expect(await characterize(place, "weak")).toEqual({
      code: 1,
      wrong: [
        expect.stringMatching(
          /^characterized: 1 test of existing behaviour would notice no fault: test\/more\.test\.js::runs notices none of \d+ faults; a test that compares what the code returns is accepted$/u,
        ),
      ],
      characterized: {
        proved: ["test/more.test.js::adds three"],
        unproved: ["test/more.test.js::runs"],
      },
      required: [],
    });
  },
  180_000,
);

inCi(
  "tests that fail without the change are counted apart, and nothing is proved without time",
  async () => {
    const place = await world();
    await place.branch("both", "honest", { "test/more.test.js": start + strong });
    expect(await characterize(place, "both")).toEqual({
      code: 0,
      wrong: [],
      characterized: { proved: ["test/more.test.js::adds three"], unproved: [] },
      required: ["test/discount.test.js::takes a discount"],
    });
    const { text } = await place.read("prove", "--base", "main", "--head", "both", "--characterize");
    expect(text.replaceAll(/\s+/gu, " ")).toContain(
      "✓ proved: 1 test fails without the change and passes with it; 1 test of existing behaviour would notice faults of the code",
    );
    // Beside a test that fails without the change it needs no option, and must notice a fault, too.
    expect(await place.ask("prove", "--base", "main", "--head", "both")).toMatchObject({
      code: 0,
      answer: { characterized: { proved: ["test/more.test.js::adds three"], unproved: [] } },
    });
    // So it does where nothing but tests changed.
    await place.branch("alone", "main", { "test/more.test.js": start + strong });
    expect(await place.ask("prove", "--base", "main", "--head", "alone")).toMatchObject({
      code: 0,
      answer: { characterized: { proved: ["test/more.test.js::adds three"], unproved: [] } },
    });
    await place.branch("beside", "honest", { "test/more.test.js": start + weak });
    const beside = await place.ask("prove", "--base", "main", "--head", "beside");
    expect(beside.code).toBe(1);
    expect(wrongChecks(beside.answer)).toEqual([
      expect.stringMatching(
        /^guards: 1 test passes without the change, and would notice no fault: test\/more\.test\.js::runs notices none of \d+ faults; a test that compares what the code returns is accepted, and so is `--accept-test ID`$/u,
      ),
    ]);
    await place.branch("idle", "main", {
      "test/more.test.js": `${start}test("is itself", () => assert.equal(1, 1));\n`,
    });
    expect(await characterize(place, "idle")).toMatchObject({
      code: 1,
      wrong: [
        expect.stringContaining("red.tautology: "),
        expect.stringContaining("red.can_fail: "),
        expect.stringContaining("test/more.test.js::is itself executes no code that can be mutated"),
      ],
    });
    await place.repo.write({ "mettle.yaml": "version: 1\nproof: { mutation: { budget: 0 } }\n" });
    expect(await characterize(place, "both")).toMatchObject({
      code: 5,
      wrong: ["characterized: not measured: mutants are switched off in the settings"],
      characterized: { proved: [], unproved: ["test/more.test.js::adds three"] },
    });
  },
  180_000,
);

verifies(
  "PRV-11",
  "a change without behaviour is nothing to prove, if the suite is unchanged and green",
  async () => {
    const place = await changeWorld(["documented", "formatted"]);
    for (const head of ["documented", "formatted"])
      expect(await place.ask("prove", "--base", "main", "--head", head, "--characterize")).toMatchObject({
        code: 0,
        answer: { verdict: "pass", nothing_to_prove: true },
      });
    expect(changes["formatted"]?.["src/cart.js"]).toContain("// from nothing");
  },
);
