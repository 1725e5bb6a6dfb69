/** New tests without an assertion: refused, or findings where they must only not throw (PRV-22). */
import type { TestProblem } from "../../evidence/test-result.ts";
import { fileOfTest } from "../../evidence/test-ids.ts";
import { isScript } from "../../source/syntax.ts";
import type { SourceMark } from "../../source/test-marks-javascript.ts";
import { failed, passed } from "../check.ts";
import type { Suite } from "../suite/suite.ts";
import type { Check, Finding } from "../verdict.ts";
import { nameOf, noteFor } from "./author-notes.ts";
import { acceptingInRun } from "./passing-tests.ts";
import { newTests, type RedFacts } from "./red-facts.ts";

type Facts = Pick<RedFacts, "marks" | "first" | "baseline" | "accepted" | "accepting" | "mustNotThrow">;

/**
 * A test asserts something, unless its author says by a comment that it must only not throw, or a person accepts it. JavaScript
 * has an assertion for that.
 */
export function checkAsserts(facts: Facts): Check {
  const bare = bareMarks(facts).filter((mark) => reasonOf(mark, facts) === null);
  // By test, so that an old mark does not excuse a new test of the same file.
  const before = new Set(
    withoutAssertion(facts.baseline).map(({ file, message }) => `${file ?? ""} ${message}`),
  );
  const reported = withoutAssertion(facts.first).filter(
    ({ file, message }) => !before.has(`${file ?? ""} ${message}`),
  );
  if (bare.length + reported.length === 0) return passed("asserts");
  const { accepting = acceptingInRun } = facts;
  const scripts = [...bare.map(({ path }) => path), ...reported.map(({ file }) => file ?? "")].some(isScript);
  const remedies = [
    ...(scripts
      ? ["`expect(() => …).not.toThrow()` or `assert.doesNotThrow(…)` asserts that nothing is thrown"]
      : []),
    ...(bare.some(mayOnlyNotThrow)
      ? [
          `a test that must only not raise an error needs a comment with the reason, \`must not raise: REASON\`; a person can accept it: ${accepting}`,
        ]
      : []),
  ];
  const reason = [
    "a test must assert something: " +
      [...bare.map(words), ...reported.map(({ message }) => message)].join("; "),
    ...remedies,
  ];
  const check = failed(
    "asserts",
    reason.join("; "),
    bare.flatMap((mark) => idsOf(mark, facts)),
  );
  return bare.every(mayOnlyNotThrow) && reported.length === 0 ? { ...check, acceptable: true } : check;
}

export function mustNotThrowFindings(facts: Facts): readonly Finding[] {
  return bareMarks(facts).flatMap((mark) => {
    const reason = reasonOf(mark, facts);
    if (reason === null) return [];
    const message = `${words(mark)} but that no error is raised: ${reason}`;
    return [{ code: "asserts_nothing", severity: "finding", message, path: mark.path }];
  });
}

function bareMarks({ marks }: Facts): readonly SourceMark[] {
  return marks.filter(({ kind }) => kind === "no_assertion");
}

/** Why a test without an assertion is accepted; null where it is not. */
function reasonOf(mark: SourceMark, facts: Facts): string | null {
  const { accepted = [], mustNotThrow = [] } = facts;
  const ids = idsOf(mark, facts);
  if (!mayOnlyNotThrow(mark) || ids.length === 0) return null;
  if (ids.every((id) => accepted.includes(id))) return "a person accepted it";
  const all = newTests(facts);
  const reasons = ids.map((id) => noteFor(id, all, mustNotThrow));
  return reasons.every((one) => one !== undefined) ? (reasons[0] ?? null) : null;
}

function mayOnlyNotThrow({ path }: SourceMark): boolean {
  return !isScript(path);
}

function idsOf({ path, what }: SourceMark, { first }: Facts): readonly string[] {
  return first.report.tests
    .map(({ id }) => id)
    .filter((id) => fileOfTest(id) === path && nameOf(id) === what);
}

function withoutAssertion({ report }: Suite): readonly TestProblem[] {
  return report.problems.filter(({ code }) => code === "no_assertion");
}

function words({ path, line, what }: SourceMark): string {
  return `${path}:${line}: "${what}" asserts nothing`;
}
