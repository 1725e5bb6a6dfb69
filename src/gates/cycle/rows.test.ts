import { describe, expect, test } from "vitest";
import { verifies } from "../../../test/verifies.ts";
import { conclude, failed, passed, unclear } from "../check.ts";
import type { Check } from "../verdict.ts";
import { failedRows, greenOutcome, greenRows, redRows } from "./rows.ts";

const names = {
  red: [
    "paths",
    "links",
    "not_empty",
    "load",
    "fails",
    "right_reason",
    "no_skip",
    "asserts",
    "mocks",
    "criteria",
    "unique",
    "old_tests",
    "stable",
  ],
  green: ["frozen", "paths", "links", "one_file", "required", "regressions", "canary", "flip"],
};

function verdict(gate: keyof typeof names, ...wrong: readonly string[]) {
  const checks: Check[] = names[gate].map((name) =>
    wrong.includes(name) ? failed(name, "wrong") : passed(name),
  );
  return conclude({ checks, findings: [] });
}

const red = (...wrong: readonly string[]) =>
  redRows(verdict("red", ...wrong), { record: "r1/3", standards: "standards" });
const green = (...wrong: readonly string[]) =>
  greenRows(verdict("green", ...wrong), { record: "r1/7", numbers: { lines_before: 1 } });
const marks = (rows: ReturnType<typeof red>) => rows.map(({ mark }) => mark);

describe("the rows of RED", () => {
  const cases: Readonly<Record<string, number>> = {
    paths: 0,
    links: 0,
    not_empty: 0,
    criteria: 0,
    load: 1,
    fails: 1,
    right_reason: 1,
    old_tests: 1,
    no_skip: 2,
    asserts: 2,
    mocks: 2,
    unique: 2,
    stable: 2,
  };
  for (const [check, row] of Object.entries(cases))
    test(`${check} is told in row ${row + 1} alone`, () => {
      expect(marks(red(check))).toEqual([0, 1, 2].map((at) => (at === row ? "fail" : "pass")));
      expect(red(check)[row]?.why).toBe(`${check}: wrong`);
    });

  test("an honest commit has three marks that name the record, in both protocols' terms", () => {
    expect(red()).toEqual(
      ["Tests written", "Tests failing", "Test quality meets standards"].map((name) => ({
        name,
        mark: "pass",
        basis: "record",
        record: "r1/3",
        why: "",
      })),
    );
    const riper = redRows(verdict("red"), { record: "r1/3", standards: "Ψ standards" });
    expect(riper.map(({ name }) => name)).toEqual([
      "Tests written",
      "Tests failing",
      "Test quality meets Ψ standards",
    ]);
  });

  test("a fault of the machine leaves every row open", () => {
    const blind = conclude({ checks: [unclear("environment", "no runner")], findings: [] });
    const rows = redRows(blind, { record: "r1/1", standards: "standards" });
    expect(marks(rows)).toEqual(["inconclusive", "inconclusive", "inconclusive"]);
    expect(rows[0]?.why).toBe("not judged: environment: no runner");
    expect(marks(greenRows(blind, { record: "r1/1", numbers: {} }))).toEqual([
      "inconclusive",
      "inconclusive",
      "inconclusive",
    ]);
  });
});

describe("the rows of GREEN", () => {
  verifies(
    "TDP-35",
    "the minimality depends on a review, shows its numbers and blocks nothing before it",
    () => {
      const rows = green();
      expect(rows).toEqual([
        { name: "Tests passing", mark: "pass", basis: "record", record: "r1/7", why: "" },
        {
          name: "Minimal implementation",
          mark: "review",
          basis: "review",
          record: "r1/7",
          numbers: { lines_before: 1 },
          why: "the review decides whether it is minimal; until then it blocks nothing",
        },
        { name: "No test modifications", mark: "pass", basis: "record", record: "r1/7", why: "" },
      ]);
      expect(verdict("green")).toMatchObject({ verdict: "pass" });
    },
  );

  const cases: readonly (readonly [readonly string[], readonly string[], string])[] = [
    [["required"], ["fail", "review", "pass"], "fail.tests"],
    [["regressions"], ["fail", "review", "pass"], "fail.tests"],
    [["frozen", "paths"], ["pass", "review", "fail"], "fail.quality"],
    [["paths"], ["pass", "fail", "pass"], "fail.quality"],
    [["links"], ["pass", "review", "fail"], "fail.quality"],
    [["canary"], ["pass", "review", "fail"], "fail.quality"],
    [["flip"], ["pass", "review", "fail"], "fail.quality"],
    [["frozen", "required"], ["fail", "review", "fail"], "fail.tests"],
  ];
  const judged = ([wrong, expected, outcome]: (typeof cases)[number]) => {
    expect(marks(green(...wrong))).toEqual(expected);
    expect(greenOutcome(verdict("green", ...wrong))).toBe(outcome);
  };
  for (const one of cases.filter(([, , outcome]) => outcome === "fail.tests"))
    test(`${one[0].join(" and ")} is a failure of tests`, () => judged(one));
  for (const one of cases.filter(([, , outcome]) => outcome === "fail.quality"))
    verifies("TDP-28", `${one[0].join(" and ")} is a failure of quality`, () => judged(one));

  test("a pass and a doubt keep their outcome", () => {
    expect(greenOutcome(verdict("green"))).toBe("pass");
    const doubt = conclude({ checks: [unclear("required", "no report")], findings: [] });
    expect(greenOutcome(doubt)).toBe("inconclusive");
  });
});

verifies("TDP-28", "the failed rows are named", () => {
  expect(failedRows(green("frozen", "required")).map(({ code, message }) => `${code}: ${message}`)).toEqual([
    "row: Tests passing",
    "row: No test modifications",
  ]);
  expect(failedRows(green())).toEqual([]);
});
