/** The checks of RED for each new test, and for the old tests. */
import { fileOfTest } from "../../evidence/test-ids.ts";
import { unfinishedReason, unfinishedTests } from "../base/unfinished-tests.ts";
import { failed, shortList, passed, unclear } from "../check.ts";
import { acceptingInRun } from "./passing-tests.ts";
import type { RedFacts } from "./red-facts.ts";
import { acceptedErrors, dependsOnReach, wrongReason } from "./red-reason.ts";
import { oldTests, statusOf, withoutPreExisting, type Suite } from "../suite/suite.ts";
import type { SourceMark } from "../../source/test-marks-javascript.ts";
import type { Check, Finding } from "../verdict.ts";

export function rightReason({ first, baseline, rules, unit }: RedFacts, tests: readonly string[]): Check {
  const now = statusOf(first);
  const open = tests.filter((id) => now.get(id) === "pending");
  const doubt = unfinishedReason(baseline, open);
  const fresh = new Set(doubt === null ? tests : tests.filter((id) => now.get(id) !== "pending"));
  const wrong = first.report.tests.flatMap((test) => {
    if (!fresh.has(test.id) || (test.status !== "failed" && test.status !== "pending")) return [];
    const why = wrongReason(test, rules, unit);
    return why === null ? [] : [{ id: test.id, why, needsReach: dependsOnReach(test) }];
  });
  const loose = withoutPreExisting(first, baseline).suite.report.problems.filter(
    ({ code }) => code === "unhandled" || code === "hook",
  );
  const reasons = [
    ...wrong.map(({ id, why }) => `${id}: ${why}`),
    ...(wrong.some(({ needsReach }) => needsReach) ? [acceptedErrors(unit)] : []),
    ...loose.map(
      ({ code, file, message }) => `${file ?? "a test file"}: ${code}: ${message.split("\n")[0] ?? ""}`,
    ),
  ];
  if (reasons.length === 0)
    return doubt === null ? passed("right_reason", tests) : unclear("right_reason", doubt);
  return failed(
    "right_reason",
    reasons.join("; "),
    wrong.map(({ id }) => id),
  );
}

/** Marks of a change's tests that skip under a condition which holds for no test of the file here. */
function idleConditions({ composed, first, marks }: RedFacts): readonly SourceMark[] {
  if (composed !== true) return [];
  const skips = new Set(
    first.report.tests.filter(({ status }) => status === "skipped").map(({ id }) => fileOfTest(id)),
  );
  return marks.filter(({ what, path }) => /(?:skip(?:if|If|Unless)|runIf)$/u.test(what) && !skips.has(path));
}

export function conditionFindings(facts: RedFacts): readonly Finding[] {
  return idleConditions(facts).map((mark) => ({
    code: "conditional_skip",
    severity: "finding",
    message: `${describeMark(mark)}: a test may be skipped elsewhere; here all tests of its file ran`,
    path: mark.path,
  }));
}

export function noSkip(facts: RedFacts, tests: readonly string[]): Check {
  const { first, baseline, marks } = facts;
  const now = statusOf(first);
  const idle = new Set(idleConditions(facts));
  const ran = new Set([...now.keys()].map(fileOfTest));
  // A build tag that the project's own command sets hides nothing: tests of the file ran.
  const hides = ({ path, what }: SourceMark) =>
    !(/^\/\/\s*(?:go:build|\+build)\b/.test(what) && ran.has(path));
  const hidden = tests.filter((id) => now.get(id) === "skipped" || now.get(id) === "todo");
  const only = withoutPreExisting(first, baseline).suite.report.problems.filter(
    ({ code }) => code === "only",
  );
  const reasons = [
    ...marks
      .filter(({ kind }) => kind === "skip" || kind === "todo" || kind === "only")
      .filter((mark) => hides(mark) && !idle.has(mark))
      .map(describeMark),
    ...hidden.map((id) => `${id} is ${now.get(id)}`),
    ...only.map(({ file, message }) => `${file ?? "a test file"}: ${message}`),
  ];
  return reasons.length === 0
    ? passed("no_skip")
    : failed("no_skip", `no test may be hidden: ${reasons.join("; ")}`, hidden);
}

export function mocksNoUnit({ marks }: RedFacts): Check {
  const mocked = marks.filter(({ kind }) => kind === "mocks_unit").map(describeMark);
  return mocked.length === 0
    ? passed("mocks")
    : failed("mocks", `a test must not replace the unit it tests: ${mocked.join("; ")}`);
}

/** In a change that was made without a run two tests may have one name, as rows of a table: each has its own result. */
export function unique(facts: RedFacts, tests: readonly string[]): Check {
  const twice = facts.composed === true ? [] : namedTwice(tests);
  const replaced = facts.marks.filter(({ kind }) => kind === "same_name").map(describeMark);
  return twice.length + replaced.length === 0
    ? passed("unique")
    : failed("unique", `duplicate test names: ${shortList([...twice, ...replaced])}`, twice);
}

export function sameNameFindings({ composed }: RedFacts, tests: readonly string[]): readonly Finding[] {
  if (composed !== true) return [];
  return namedTwice(tests).map((testId) => ({
    code: "same_name",
    severity: "finding",
    message: `two new tests have this name: ${testId}`,
    testId,
  }));
}

function namedTwice(tests: readonly string[]): readonly string[] {
  const all = new Set(tests);
  return tests.filter((id) => /#\d+$/.test(id) && all.has(id.replace(/#\d+$/, "")));
}

export function oldTestsPass(facts: RedFacts): Check {
  const { first, accepted = [], accepting = acceptingInRun } = facts;
  const lost = oldTests({ ...facts, suite: first }).lost.filter((id) => !accepted.includes(id));
  if (lost.length === 0) return passed("old_tests");
  const unfinished = unfinishedTests({ ...facts, suite: first });
  const doubt = unfinishedReason(facts.baseline, lost);
  if (doubt !== null && lost.every((id) => unfinished.has(id))) return unclear("old_tests", doubt);
  const now = statusOf(first);
  const named = lost.map((id) => `${id} (${now.get(id) ?? "gone"})`);
  const reason = `passed on the base commit and must still pass: ${shortList(named)}; add new tests beside them, or let a person accept the change: ${accepting}`;
  return { ...failed("old_tests", reason, lost), acceptable: true };
}

export function stable(
  { first, second, baseline, accepted = [] }: RedFacts,
  tests: readonly string[],
): Check {
  if (second === null || tests.length === 0) return passed("stable");
  if (second.timedOut || !second.report.report)
    return unclear("stable", "the second run gave no report in time");
  // A passing test that a person accepted shows nothing here, so nothing depends on its result.
  const now = statusOf(first);
  const shows = (id: string) => !(accepted.includes(id) && now.get(id) === "passed");
  const flaky = differing(first, second, tests).filter(shows);
  if (flaky.length === 0) return passed("stable", tests);
  const again = statusOf(second);
  const open = flaky.filter((id) => now.get(id) === "pending" || again.get(id) === "pending");
  const doubt = unfinishedReason(baseline, open);
  if (doubt !== null && open.length === flaky.length) return unclear("stable", doubt);
  const reason = `flaky: different result in a second, shuffled run: ${shortList(flaky)}; let it not depend on the order or the state that other tests leave`;
  return failed("stable", reason, flaky);
}

export function hasSameResults(first: Suite, second: Suite, tests: readonly string[]): boolean {
  return second.report.report && differing(first, second, tests).length === 0;
}

function differing(first: Suite, second: Suite, tests: readonly string[]): readonly string[] {
  const [one, two] = [outcomes(first), outcomes(second)];
  return tests.filter((id) => one.get(id) !== two.get(id));
}

function outcomes(suite: Suite): ReadonlyMap<string, string> {
  return new Map(suite.report.tests.map((test) => [test.id, `${test.status} ${test.kind ?? ""}`]));
}

function describeMark({ path, line, what }: SourceMark): string {
  return `${path}:${line}: ${what}`;
}
