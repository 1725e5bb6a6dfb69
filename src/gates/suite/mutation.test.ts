import { expect, test } from "vitest";
import { checkExecutedCriteria } from "./executed-criteria.ts";
import {
  mutantsByFile,
  mutationFindings,
  mutationWords,
  survivingMutants,
  type Mutation,
} from "./mutation.ts";

const survivor = { path: "src/a.js", line: 3, was: "a > b", by: "a >= b", isExecuted: true };
const measured: Mutation = {
  state: "measured",
  killed: 4,
  files: [{ path: "src/a.js", killed: 4, of: 5 }],
  survivors: [survivor],
  unmeasured: 0,
  why: "",
  others: [],
};

test("a measurement without some results is never said to be complete", () => {
  expect(mutationWords(measured)).toBe("4 of 5 mutants noticed by tests");
  const part = {
    ...measured,
    survivors: [],
    unmeasured: 2,
    why: "without a result in 60 s",
    others: ["src/b.go"],
  };
  expect(mutationWords(part)).toBe(
    "4 of 4 mutants noticed by tests; 2 not measured (without a result in 60 s); without mutants: src/b.go",
  );
  expect(mutationFindings(part).map(({ code }) => code)).toEqual(["mutants"]);
  expect(mutationFindings({ ...part, unmeasured: 0, others: [] })).toEqual([]);
  expect(mutationWords({ state: "not measured", why: "no source changed" })).toBe(
    "not measured (no source changed)",
  );
});

test("the record counts mutants by file, one line each, whatever a path holds", () => {
  const files = [
    { path: "src/a.js", killed: 4, of: 5 },
    { path: "src/a\nb.js", killed: 0, of: 2 },
  ];
  expect(mutantsByFile({ ...measured, files })).toBe("4 of 5 src/a.js\n0 of 2 src/a b.js");
  expect(mutantsByFile({ ...measured, files: [] })).toBeNull();
  expect(mutantsByFile({ state: "not measured", why: "no source changed" })).toBeNull();
});

test("each survivor is a missing test with its line, and a flood of them ends in a number", () => {
  const many = mutationFindings({ ...measured, survivors: Array.from({ length: 30 }, () => survivor) });
  expect(many[1]).toEqual({
    code: "missing_test",
    severity: "finding",
    message: "src/a.js:3: no test fails with `a >= b` in place of `a > b`: add one that does",
    path: "src/a.js",
  });
  expect([many[0]?.message, many.at(-1)?.message]).toEqual([
    "mutants of changed lines: 4 of 34 mutants noticed by tests",
    "and 10 further mutants that no test notices",
  ]);
});

test("the number of survivors is read from the record's text", () => {
  expect(
    [mutationWords(measured), "1 of 1 mutant noticed by tests"].map((words) => survivingMutants(words)),
  ).toEqual([1, 0]);
  expect(survivingMutants("not measured (why)")).toBe("not measured (why)");
  expect(survivingMutants(undefined)).toBe("not measured");
});

test("a criterion whose tests execute no changed line fails, where that is known", () => {
  const facts = {
    criteria: { ids: ["AC-1", "AC-2"], plan: {} },
    required: ["t.js::AC-1 adds", "t.js::AC-2 is read", "t.js::AC-2 is shown"],
    executedBy: ["t.js::AC-1 adds"],
  };
  expect(checkExecutedCriteria(facts)).toMatchObject({
    verdict: "fail",
    reason: expect.stringMatching(/^no test of AC-2 executes a changed line; .* is accepted$/u),
    tests: ["t.js::AC-2 is read", "t.js::AC-2 is shown"],
  });
  expect(checkExecutedCriteria({ ...facts, executedBy: facts.required.slice(0, 2) }).verdict).toBe("pass");
  expect(checkExecutedCriteria({ ...facts, executedBy: null }).verdict).toBe("pass");
});
