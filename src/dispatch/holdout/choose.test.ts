import { expect, test } from "vitest";
import { chooseWithheld, type HoldoutFacts } from "./choose.ts";

const four = (criterion: string) => [1, 2, 3, 4].map((n) => `test/a.test.js::${criterion} case ${n}`);
const groups = { FR1: four("FR1"), FR2: four("FR2"), FR3: four("FR3") };

function chosen(change: Partial<HoldoutFacts> = {}) {
  const facts = { share: 0.3, seed: "run-1", groups, before: new Set<string>(), isCuttable: () => true };
  return [...chooseWithheld({ ...facts, ...change })];
}

test("a share of the tests of each criterion is withheld, the same ones for a run and others for another run", () => {
  expect(chosen().map(([, criterion]) => criterion)).toEqual(["FR1", "FR2", "FR3"]);
  expect(chosen()).toEqual(chosen());
  expect(new Set(["a", "b", "c", "d", "e"].map((seed) => String(chosen({ seed })))).size).toBeGreaterThan(1);
});

test("each criterion keeps a visible test, also one that another criterion shares", () => {
  expect(chosen({ share: 1 })).toHaveLength(9);
  const shared = { FR1: ["a::FR1 FR2 both"], FR2: ["a::FR1 FR2 both", "a::FR2 own"] };
  expect(chosen({ share: 1, groups: shared })).toEqual([["a::FR2 own", "FR2"]]);
  expect(chosen({ groups: { FR1: ["a::FR1 alone"] } })).toEqual([]);
  expect(chosen({ share: 0 })).toEqual([]);
});

test("tests that cannot be cut out are passed over, and earlier choices are kept", () => {
  const [first = "", , third = ""] = groups.FR1;
  expect(chosen({ isCuttable: (id) => id === third }).map(([id]) => id)).toEqual([third]);
  const before = new Set([first]);
  expect(chosen({ before }).map(([id]) => id)).toContain(first);
});

test("the cases of a table are withheld together", () => {
  const cases = ["test_a.py::test_fr1[1]", "test_a.py::test_fr1[2]"];
  const ids = [...cases, "test_a.py::test_fr1_more"];
  const before = new Set(cases);
  expect(chosen({ share: 0.5, groups: { FR1: ids }, before }).map(([id]) => id)).toEqual(cases);
});
