import { expect, test } from "vitest";
import { record } from "../../test/page/large-run.ts";
import { comparable } from "./replay-bundle.ts";

test("a replay, which tries no mutants, is equal to a record that counted some", () => {
  const replayed = { ...record("r/1", 2), lastLines: [] };
  const controls = { mutants: "6 of 8 mutants noticed by tests", mutants_by_file: "6 of 8 src/a.js" };
  expect(comparable({ ...replayed, controls })).toEqual(comparable(replayed));
  expect(comparable({ ...replayed, controls: { ...controls, canary: "passed" } })).not.toEqual(
    comparable(replayed),
  );
});
