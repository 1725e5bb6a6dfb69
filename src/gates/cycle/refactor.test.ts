import { expect, test } from "vitest";
import { verifies } from "../../../test/verifies.ts";
import { judgeRefactor, type RefactorFacts, type RefactorReview, type Stage } from "./refactor.ts";

const ids = ["tests/a.js::Q1 adds", "tests/b.js::old"];
const stage = (record: string, more: Partial<Stage> = {}): Stage => ({
  record,
  verdict: "pass",
  why: "",
  foreign: [],
  numbers: { lines_before: 10, lines_after: 8 },
  ...more,
});
const review = (reviewer: string, round: number, more: Partial<RefactorReview> = {}): RefactorReview => ({
  reviewer,
  status: "APPROVED",
  session: "TDD_1_C1",
  round,
  current: true,
  ...more,
});
const honest: RefactorFacts = {
  before: ids,
  after: [...ids, "tests/a.js::Q1 more"],
  tests: stage("r1/9"),
  source: stage("r1/12"),
  interfaceChanges: [],
  reviewOfTests: review("DE", 5),
  reviewOfSource: review("QA", 6),
  suite: { record: "r1/14", verdict: "pass", why: "" },
};

test("an honest pass has eight rows in the seed's order, each with its evidence", () => {
  const verdict = judgeRefactor(honest);
  expect(verdict).toMatchObject({ verdict: "pass", outcome: "pass" });
  expect(verdict.rows?.map(({ name, mark, basis, record }) => [name, mark, basis, record])).toEqual([
    ["All tests still passing", "pass", "record", "r1/12"],
    ["Code quality improved", "pass", "review", undefined],
    ["Interface consistency", "pass", "record", "r1/12"],
    ["QA refactor: Test code optimized", "pass", "review", "r1/9"],
    ["DE refactor: Implementation optimized", "pass", "review", "r1/12"],
    ["Collaboration: Code review completed", "pass", "review", undefined],
    ["Verification: Test suite fully passes", "pass", "record", "r1/14"],
    ["Ready for next cycle", "pass", "record", "r1/14"],
  ]);
  expect(verdict.rows?.[1]).toMatchObject({
    numbers: { source_lines_before: 10, source_lines_after: 8, tests_lines_before: 10, tests_lines_after: 8 },
    reviews: [
      { reviewer: "DE", status: "APPROVED", session: "TDD_1_C1", round: 5 },
      { reviewer: "QA", status: "APPROVED", session: "TDD_1_C1", round: 6 },
    ],
    why: "DE: APPROVED in OBS[STDD_1_C1,R5]; QA: APPROVED in OBS[STDD_1_C1,R6]",
  });
});

const faults: Readonly<Record<string, readonly [Partial<RefactorFacts>, readonly number[], string]>> = {
  "a dropped test id": [{ after: ids.slice(1) }, [1], "passed in GREEN and not now: tests/a.js::Q1 adds"],
  "a mixed commit": [
    { tests: stage("r1/9", { foreign: ["src/a.js"] }) },
    [4],
    "refactor tests and source in separate commits; also changed: src/a.js",
  ],
  "a weakened test": [
    { tests: stage("r1/9", { verdict: "fail", why: "weakened: fails: 1 passes" }) },
    [4],
    "weakened: fails: 1 passes",
  ],
  "a changed signature": [
    { interfaceChanges: ["src/a.js: no longer add(_, _)"] },
    [3],
    "a refactoring must keep the public interface; restore: src/a.js: no longer add(_, _)",
  ],
};
/** The facts of a converged pass on one tree. */
const unconverged: typeof faults = {
  "a missing review": [{ reviewOfTests: null }, [6], "the review of the tests is missing"],
  "a review of an earlier pass": [
    { reviewOfSource: review("QA", 6, { current: false }) },
    [6],
    "the review of the implementation is of an earlier pass or tree",
  ],
  "a review that wants changes": [
    { reviewOfSource: review("QA", 6, { status: "NEEDS_CHANGE", session: "" }) },
    [6],
    "the review of the implementation: QA: NEEDS_CHANGE in round 6",
  ],
  "a failing suite": [{ suite: { record: "r1/14", verdict: "fail", why: "1 failed" } }, [7], "1 failed"],
};
const failsItsRow = ([facts, wrong, why]: (typeof faults)[string]) => {
  const verdict = judgeRefactor({ ...honest, ...facts });
  const failing = verdict.rows?.flatMap(({ mark }, at) => (mark === "fail" ? [at + 1] : []));
  expect(failing).toEqual([...wrong, 8]);
  expect(verdict.rows?.[(wrong[0] ?? 1) - 1]?.why).toBe(why);
  expect(verdict.outcome).toBe("fail");
};
for (const [fault, how] of Object.entries(faults))
  test(`${fault} fails exactly its row and the last one`, () => failsItsRow(how));
for (const [fault, how] of Object.entries(unconverged))
  verifies("TDP-23", `${fault} fails exactly its row and the last one`, () => failsItsRow(how));

verifies(
  "TDP-35",
  "rows that depend on a review that is missing or requests a change are open whatever was measured",
  () => {
    const { rows } = judgeRefactor({ ...honest, reviewOfTests: null, reviewOfSource: null });
    expect(rows?.map(({ mark }) => mark)).toEqual([
      "pass",
      "review",
      "pass",
      "review",
      "review",
      "fail",
      "pass",
      "fail",
    ]);
    expect(rows?.[1]?.why).toBe("it was not reviewed in this pass");
    const refused = judgeRefactor({ ...honest, reviewOfSource: review("QA", 6, { status: "NEEDS_CHANGE" }) });
    expect(refused.rows?.[4]).toMatchObject({
      mark: "review",
      numbers: { lines_before: 10, lines_after: 8 },
      reviews: [{ reviewer: "QA", status: "NEEDS_CHANGE", round: 6 }],
    });
  },
);

test("without a record nothing is decided", () => {
  const unproven = { ...honest, suite: null, source: stage("", { record: null }) };
  const verdict = judgeRefactor(unproven);
  expect(verdict.outcome).toBe("inconclusive");
  expect(verdict.rows?.map(({ mark }) => mark)).toEqual([
    "inconclusive",
    "pass",
    "pass",
    "pass",
    "pass",
    "pass",
    "inconclusive",
    "inconclusive",
  ]);
});
