/** New tests that pass before implementation: refused, or findings with their author's reason (PRV-22). */
import { expectsError } from "./null-stub-results.ts";
import { noteFor } from "./author-notes.ts";
import { rowReason, rowsTogether } from "./table-rows.ts";
import { counted } from "../../lib/counted.ts";
import { failed, shortList, passed } from "../check.ts";
import { fileOfTest } from "../../evidence/test-ids.ts";
import { isScript } from "../../source/syntax.ts";
import { testsOf } from "../documents/criteria.ts";
import { newTests, type RedFacts } from "./red-facts.ts";
import { statusOf } from "../suite/suite.ts";
import type { Check, Finding } from "../verdict.ts";

/** The command by which a person accepts a test in a run. */
export const acceptingInRun = "mettle resume RUN --accept-test ID";

type Facts = Pick<
  RedFacts,
  | "first"
  | "baseline"
  | "criteria"
  | "plan"
  | "passNotes"
  | "tables"
  | "accepted"
  | "accepting"
  | "composed"
  | "nullStubs"
  | "stubs"
  | "characterize"
  | "leavesGuards"
>;

/**
 * A new test that passes is refused unless its author gives a reason or a person accepts it. If no test fails, or none of a
 * criterion, the author's reason does not count, because nothing is shown.
 */
export function checkFails(facts: Facts, tests: readonly string[]): Check {
  if (facts.characterize === true) return passed("fails", tests);
  const { accepting = acceptingInRun } = facts;
  const { passing, isShown, lone, unexplained } = sorted(facts, tests);
  const refused = isShown ? passing.filter((id) => lone.includes(id) || unexplained.includes(id)) : passing;
  const guards = guardsOf(facts);
  const wrong = refused.filter((id) => !guards.includes(id));
  if (wrong.length > 0) {
    const helps = isShown && wrong.some((id) => !lone.includes(id));
    const check = failed(
      "fails",
      `${passingReason(facts, wrong)}${helps ? "; a test that should pass already needs a comment with the reason, `passes already: REASON`" : ""}${isShown ? `; a person can accept it: ${accepting}` : ""}`,
      wrong,
    );
    return isShown ? { ...check, acceptable: true } : check;
  }
  if (tests.length > 0 && facts.first.exitCode === 0)
    return failed(
      "fails",
      "the runner ended with exit code 0 although tests failed; it must report them by its exit code",
    );
  return passed("fails", tests);
}

interface Sorted {
  /** Without those that a person accepted. */
  readonly passing: readonly string[];
  /** Whether another new test fails. */
  readonly isShown: boolean;
  readonly lone: readonly string[];
  readonly unexplained: readonly string[];
}

function sorted(facts: Facts, tests: readonly string[]): Sorted {
  const all = passingTests(facts, tests);
  const passing = all.filter((id) => !isAccepted(facts, id));
  return {
    passing,
    isShown: all.length < tests.length,
    lone: onlyTestsOfCriteria(facts, tests, passing),
    unexplained: passing.filter((id) => reasonOf(facts, tests, id) === undefined),
  };
}

/** New tests that pass without a reason, beside others that fail: whether they guard anything is shown by mutants (PRV-11). */
export function guardsOf(facts: Facts): readonly string[] {
  if (facts.leavesGuards !== true || facts.characterize === true) return [];
  const { isShown, lone, unexplained } = sorted(facts, newTests(facts));
  return isShown ? unexplained.filter((id) => !lone.includes(id)) : [];
}

function passingReason({ composed = false }: Facts, wrong: readonly string[]): string {
  const count = counted(wrong.length, "test passes", "tests pass");
  return composed
    ? `${count} without the change, so ${wrong.length === 1 ? "it does" : "they do"} not test it: ${shortList(wrong, 4)}${wrong.some(hasMutants) ? "; `mettle prove --characterize` proves tests of existing behaviour by mutants" : ""}`
    : `tests wrong, rewrite: ${count} before implementation: rewrite ${shortList(wrong)}`;
}

/** Whether mutants can try it: other languages have none. */
function hasMutants(id: string): boolean {
  const path = fileOfTest(id);
  return isScript(path) || path.endsWith(".py");
}

export function failingTests(facts: Pick<RedFacts, "first" | "baseline">): readonly string[] {
  const tests = newTests(facts);
  const passing = new Set(passingTests(facts, tests));
  return tests.filter((id) => !passing.has(id));
}

export function passFindings(facts: Facts): readonly Finding[] {
  if (facts.characterize === true) return [];
  const tests = newTests(facts);
  const guards = new Set(guardsOf(facts));
  const named = passingTests(facts, tests).filter((id) => !guards.has(id));
  const whys = new Map(
    named.map((id) => {
      const given = reasonOf(facts, tests, id) ?? "no reason is given";
      return [id, isAccepted(facts, id) ? "a person accepted it" : given] as const;
    }),
  );
  return [...rowsTogether(named, facts)].map(([testId, ids]) => ({
    code: "passes_already",
    severity: "finding",
    message: `${passesWords(ids)}: ${[...new Set(ids.map((id) => whys.get(id)))].join("; ")}`,
    testId,
  }));
}

function passesWords(ids: readonly string[]): string {
  return ids.length === 1
    ? `passes before implementation, so it does not test it: ${ids.join()}`
    : `${counted(ids.length, "row")} of a table pass before implementation, so they do not test it: ${shortList(ids)}`;
}

/** Ids of passing tests that a person accepted. */
export function acceptedPassing(facts: Facts): readonly string[] {
  return passingTests(facts, newTests(facts)).filter((id) => isAccepted(facts, id));
}

function isAccepted({ accepted = [] }: Facts, id: string): boolean {
  return accepted.includes(id);
}

function passingTests({ first }: Pick<RedFacts, "first">, tests: readonly string[]): readonly string[] {
  const now = statusOf(first);
  return tests.filter((id) => now.get(id) === "passed");
}

function reasonOf(facts: Facts, tests: readonly string[], id: string): string | undefined {
  const { passNotes: notes = [], stubs, nullStubs } = facts;
  const note = noteFor(id, tests, notes) ?? rowReason(id, facts, tests);
  // Without a stub of its own the base would have to throw the error that the test expects.
  return note ?? (stubs.length > 0 && expectsError(nullStubs, id) ? expectedError : undefined);
}

const expectedError = "it expects an error, and the stub of the missing unit throws one";

/** The passing tests of criteria that have no other tests. */
function onlyTestsOfCriteria(
  { criteria, plan }: Facts,
  tests: readonly string[],
  passing: readonly string[],
): readonly string[] {
  if (criteria === null) return [];
  const covered = Object.values(testsOf({ criteria, tests, plan }));
  const only = covered.filter((ids) => ids.length > 0 && ids.every((id) => passing.includes(id)));
  return [...new Set(only.flat())];
}
