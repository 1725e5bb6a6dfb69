/** The rows of a cycle's quality gates, filled from the checks of a verdict (TDP-32, TDP-34). Pure. */
import { assertNever } from "../../lib/assert-never.ts";
import type { Check, Finding, Row, Verdict } from "../verdict.ts";

export interface RowFacts {
  /** Id of the record that supports the verdict. */
  readonly record: string;
}

export interface RedRowFacts extends RowFacts {
  /** `standards`; `Ψ standards` in riper. */
  readonly standards: string;
}

export function redRows({ checks }: Pick<Verdict, "checks">, facts: RedRowFacts): readonly Row[] {
  const { record, standards } = facts;
  return [
    { name: "Tests written", of: ["paths", "links", "not_empty", "criteria", "dispute"] },
    { name: "Tests failing", of: ["load", "fails", "right_reason", "tautology", "old_tests"] },
    {
      name: `Test quality meets ${standards}`,
      of: ["no_skip", "asserts", "can_fail", "snapshots", "mocks", "unique", "stable"],
    },
  ].map(({ name, of }) => ({ name, basis: "record", record, ...markOf(checks, of) }));
}

export interface GreenRowFacts extends RowFacts {
  /** Measured for the minimality review. */
  readonly numbers: Readonly<Record<string, number | string>>;
}

export function greenRows({ checks }: Pick<Verdict, "checks">, facts: GreenRowFacts): readonly Row[] {
  const { record, numbers } = facts;
  // A touched test is also a changed path; it is reported once.
  const touched = checks.some(({ name, verdict }) => name === "frozen" && verdict === "fail");
  const beyond = markOf(checks, touched ? ["one_file"] : ["one_file", "paths"]);
  const minimal: Pick<Row, "mark" | "why"> =
    beyond.mark === "fail" || isBlind(checks)
      ? beyond
      : { mark: "review", why: "the review decides whether it is minimal; until then it blocks nothing" };
  return [
    { name: "Tests passing", basis: "record", record, ...markOf(checks, ["required", "regressions"]) },
    { name: "Minimal implementation", basis: "review", record, numbers, ...minimal },
    {
      name: "No test modifications",
      basis: "record",
      record,
      ...markOf(checks, ["frozen", "links", "canary", "flip", "can_fail", "hard_coded", "surrounding"]),
    },
  ];
}

/** Findings that name the failed rows, for readers of the short answer (TDP-28). */
export function failedRows(rows: readonly Row[]): readonly Finding[] {
  return rows.flatMap(({ name, mark }) =>
    mark === "fail" ? [{ code: "row", severity: "block", message: name } as const] : [],
  );
}

/** The outcome of a GREEN gate that did not pass: test failures outrank all other checks (TDP-27, TDP-28). */
export function greenOutcome({ verdict, checks }: Verdict): string {
  switch (verdict) {
    case "pass":
    case "inconclusive":
      return verdict;
    case "fail":
      return markOf(checks, ["required", "regressions"]).mark === "fail" ? "fail.tests" : "fail.quality";
    default:
      return assertNever(verdict);
  }
}

/** Whether the machine was at fault, so that nothing was judged. */
function isBlind(checks: readonly Check[]): boolean {
  return checks.every(({ name }) => name === "environment");
}

/** Any fail fails; a check that was not evaluated leaves its row open. */
function markOf(checks: readonly Check[], of: readonly string[]): Pick<Row, "mark" | "why"> {
  const own = checks.filter(({ name }) => of.includes(name));
  const fails = own.filter(({ verdict }) => verdict === "fail");
  if (fails.length > 0) return { mark: "fail", why: words(fails) };
  const doubts = own.filter(({ verdict }) => verdict === "inconclusive");
  if (doubts.length > 0) return { mark: "inconclusive", why: words(doubts) };
  if (own.length > 0) return { mark: "pass", why: "" };
  return {
    mark: "inconclusive",
    why: `not judged: ${words(checks.filter(({ verdict }) => verdict !== "pass"))}`,
  };
}

function words(checks: readonly Check[]): string {
  return checks.map(({ name, reason }) => `${name}: ${reason}`).join("; ");
}
