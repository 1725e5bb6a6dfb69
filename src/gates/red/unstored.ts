/** New tests whose snapshot is not stored: refused, or findings where GREEN takes it (PRV-22). */
import { fileOfTest } from "../../evidence/test-ids.ts";
import type { TestResult } from "../../evidence/test-result.ts";
import { failed } from "../check.ts";
import { hasTitle, type NewSnapshot } from "../suite/stored-snapshots.ts";
import type { Check, Finding } from "../verdict.ts";
import type { RedFacts } from "./red-facts.ts";

type Facts = Pick<RedFacts, "first" | "unstored">;

/** None where nothing is wrong. */
export function snapshotChecks(facts: Facts): readonly Check[] {
  const { unstored = [] } = facts;
  const refused = unstored.filter((one) => !willBeTaken(one, facts));
  const answered = unstored.filter((one) => willBeTaken(one, facts) && answersAlready(one, facts));
  if (refused.length + answered.length === 0) return [];
  const why = [
    ...(refused.length === 0
      ? []
      : [
          `no snapshot is stored, and GREEN writes none, so nothing would be compared: ${refused.map(words).join("; ")}`,
        ]),
    ...(answered.length === 0
      ? []
      : [
          `the unit answers already, so a snapshot taken at GREEN would not show the change: ${answered.map(words).join("; ")}`,
        ]),
  ];
  return [
    failed(
      "snapshots",
      `${why.join("; ")}; write the expected value into toMatchInlineSnapshot(\`…\`) or toEqual(…), or commit the snapshot file beside the test`,
    ),
  ];
}

export function unstoredFindings(facts: Facts): readonly Finding[] {
  return (facts.unstored ?? [])
    .filter((one) => willBeTaken(one, facts) && !answersAlready(one, facts))
    .map((one) => ({
      code: "snapshot_at_green",
      severity: "finding",
      message: `no snapshot is stored; GREEN will take it: ${words(one)}`,
      path: one.path,
    }));
}

function willBeTaken(one: NewSnapshot, facts: Facts): boolean {
  return one.isTaken && testsOf(one, facts).length > 0;
}

/** A test must fail because the unit throws; one that lacks only the snapshot would pass with it. */
function answersAlready(one: NewSnapshot, facts: Facts): boolean {
  return testsOf(one, facts).some(lacksSnapshot);
}

function testsOf({ path, what }: NewSnapshot, { first }: Facts): readonly TestResult[] {
  return first.report.tests.filter(({ id }) => fileOfTest(id) === path && hasTitle(id, what));
}

function lacksSnapshot({ kind, message }: TestResult): boolean {
  return kind === "assertion" && /snapshot/i.test(message.split("\n")[0] ?? "");
}

function words({ path, line, what }: NewSnapshot): string {
  return `${path}:${line}: ${what}`;
}
