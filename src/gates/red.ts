/** RED (design 4): tests alone, one for each criterion, all failing for the right reason, nothing else broken. */
import { conclude, failed, listed, passed, unclear } from "./check.ts";
import { testsOf } from "./criteria.ts";
import { outsideTests, type PathRules } from "./paths.ts";
import { wrongReason } from "./red-reason.ts";
import { idsWith, regressions, statusOf, withoutPreExisting, type Suite } from "./suite.ts";
import type { SourceMark } from "./test-source.ts";
import type { Check, Finding, Verdict } from "./verdict.ts";

export interface RedFacts {
  /** Paths changed between base and head. */
  readonly changed: readonly string[];
  readonly rules: PathRules;
  /** Null: nobody named criteria, so they are not checked. */
  readonly criteria: readonly string[] | null;
  readonly plan: Readonly<Record<string, readonly string[]>>;
  readonly baseline: Suite;
  /** All tests of head; `confirm` is the same run again where an old test failed in the first. */
  readonly first: Suite;
  readonly confirm: Suite | null;
  /** The changed test files again, shuffled; null where there was nothing to repeat. */
  readonly second: Suite | null;
  /** What the text of the changed test files shows, without what stood there on the base already. */
  readonly marks: readonly SourceMark[];
  readonly stubs: readonly { readonly path: string; readonly names: readonly string[] }[];
  /** Calls of `test` or `it` in the text of the changed test files. */
  readonly testCalls: number;
}

export function judgeRed(facts: RedFacts): Verdict {
  const tests = newTests(facts);
  const heard = hearing(facts);
  const checks: Check[] = [
    paths(facts),
    heard ?? notEmpty(facts, tests),
    ...(heard === null ? [load(facts), fails(facts, tests), rightReason(facts, tests)] : []),
    noSkip(facts, tests),
    ...meaningful(facts),
    ...(heard === null ? [criteria(facts, tests), unique(tests), oldTests(facts), stable(facts, tests)] : []),
  ];
  return conclude({ checks, findings: findings(facts), signature: signature(checks) });
}

/** The ids that the coder has to make pass. */
export function newTests({ baseline, first }: Pick<RedFacts, "baseline" | "first">): readonly string[] {
  const before = statusOf(baseline);
  return first.report.tests.map((test) => test.id).filter((id) => !before.has(id));
}

function paths({ changed, rules }: RedFacts): Check {
  const outside = outsideTests(changed, rules);
  if (outside.length === 0) return passed("paths");
  return failed(
    "paths",
    `only tests and fixtures (${listed(rules.tests)}) may change here; also changed: ${listed(outside)}`,
  );
}

/** A run that says nothing about the tests, or null. */
function hearing({ baseline, first, second, changed }: RedFacts): Check | null {
  if (changed.length === 0) return failed("not_empty", "no test was added: nothing changed");
  const machine = baseline.environment ?? first.environment ?? second?.environment;
  if (machine != null) return unclear("not_empty", machine);
  if (baseline.timedOut || !baseline.report.report)
    return unclear(
      "not_empty",
      "the base commit's own tests gave no report in time, so nothing can be compared",
    );
  if (first.timedOut) return unclear("not_empty", "the test run did not end in time");
  if (first.report.report) return null;
  if (baseline.report.tests.length > 0)
    return failed(
      "not_empty",
      "early_exit: the runner left no report, and on the base commit it did; a test ends the process",
    );
  return unclear(
    "not_empty",
    `the runner left no whole, readable report (exit code ${first.exitCode ?? "none"})`,
  );
}

function notEmpty({ first, testCalls }: RedFacts, tests: readonly string[]): Check {
  if (tests.length > 0) return passed("not_empty", tests);
  if (first.report.loadErrors.length > 0) return failed("not_empty", "no new test was found: see load");
  if (first.report.tests.length > 0 || testCalls === 0)
    return failed("not_empty", "no new test was found; add failing tests");
  return unclear("not_empty", "the runner found zero tests, though the changed files hold some");
}

function load({ first, baseline }: RedFacts): Check {
  const { suite } = withoutPreExisting(first, baseline);
  const { loadErrors, problems } = suite.report;
  const ended = problems.filter(
    ({ code }) => code === "early_exit" || code === "killed" || code === "interrupted",
  );
  const missing = problems.filter(({ code }) => code === "missing_file");
  const empty = problems.filter(({ code }) => code === "no_tests");
  const reasons = [
    ...loadErrors.map(({ file, message }) => `${file} does not load: ${message.split("\n")[0] ?? ""}`),
    ...ended.map(({ code, file, message }) => `${code}: ${file ?? "a test file"}: ${message}`),
    ...empty.map(({ file }) => `${file ?? "a test file"} holds no test, or ends its process before them`),
  ];
  if (loadErrors.length > 0)
    reasons.push(
      "a module that does not exist yet is stubbed when the File Structure of the architecture names it",
    );
  if (reasons.length > 0) return failed("load", reasons.join("; "));
  if (missing.length > 0)
    return unclear("load", `the report does not mention ${listed(missing.map(({ file }) => file ?? ""))}`);
  return passed("load");
}

function fails({ first }: RedFacts, tests: readonly string[]): Check {
  const now = statusOf(first);
  const passing = tests.filter((id) => now.get(id) === "passed");
  if (passing.length > 0)
    return failed(
      "fails",
      `tests wrong, rewrite: ${passing.length} passes before implementation: rewrite ${listed(passing)}`,
      passing,
    );
  if (tests.length > 0 && first.exitCode === 0)
    return failed("fails", "the runner ended with exit code 0; in RED it must not");
  return passed("fails", tests);
}

function rightReason({ first, baseline, rules }: RedFacts, tests: readonly string[]): Check {
  const fresh = new Set(tests);
  const wrong = first.report.tests.flatMap((test) => {
    if (!fresh.has(test.id) || (test.status !== "failed" && test.status !== "pending")) return [];
    const why = wrongReason(test, rules);
    return why === null ? [] : [{ id: test.id, why }];
  });
  const loose = withoutPreExisting(first, baseline).suite.report.problems.filter(
    ({ code }) => code === "unhandled" || code === "hook",
  );
  const reasons = [
    ...wrong.map(({ id, why }) => `${id}: ${why}`),
    ...loose.map(
      ({ code, file, message }) => `${file ?? "a test file"}: ${code}: ${message.split("\n")[0] ?? ""}`,
    ),
  ];
  return reasons.length === 0
    ? passed("right_reason", tests)
    : failed(
        "right_reason",
        reasons.join("; "),
        wrong.map(({ id }) => id),
      );
}

function noSkip({ first, baseline, marks }: RedFacts, tests: readonly string[]): Check {
  const now = statusOf(first);
  const hidden = tests.filter((id) => now.get(id) === "skipped" || now.get(id) === "todo");
  const only = withoutPreExisting(first, baseline).suite.report.problems.filter(
    ({ code }) => code === "only",
  );
  const reasons = [
    ...marks.filter(({ kind }) => kind === "skip" || kind === "todo" || kind === "only").map(placed),
    ...hidden.map((id) => `${id} is ${now.get(id)}`),
    ...only.map(({ file, message }) => `${file ?? "a test file"}: ${message}`),
  ];
  return reasons.length === 0
    ? passed("no_skip")
    : failed("no_skip", `no test may be hidden: ${reasons.join("; ")}`, hidden);
}

function meaningful({ marks, first }: RedFacts): readonly Check[] {
  const bare = marks.filter(({ kind }) => kind === "no_assertion").map(placed);
  const told = first.report.problems
    .filter(({ code }) => code === "no_assertion")
    .map(({ message }) => message);
  const mocked = marks.filter(({ kind }) => kind === "mocks_unit").map(placed);
  return [
    bare.length + told.length === 0
      ? passed("asserts")
      : failed("asserts", `a test must assert something: ${[...bare, ...told].join("; ")}`),
    mocked.length === 0
      ? passed("mocks")
      : failed("mocks", `a test must not replace the unit it tests: ${mocked.join("; ")}`),
  ];
}

function criteria({ criteria: ids, plan }: RedFacts, tests: readonly string[]): Check {
  if (ids === null) return passed("criteria");
  const covered = testsOf({ criteria: ids, tests, plan });
  const without = ids.filter((id) => covered[id]?.length === 0);
  if (without.length === 0) return passed("criteria", Object.values(covered).flat());
  return failed("criteria", `no new test for ${listed(without)}; put the id into the title of its test`);
}

function unique(tests: readonly string[]): Check {
  const all = new Set(tests);
  const twice = tests.filter((id) => /#\d+$/.test(id) && all.has(id.replace(/#\d+$/, "")));
  return twice.length === 0
    ? passed("unique")
    : failed("unique", `two tests of one name: ${listed(twice)}`, twice);
}

function oldTests({ first, confirm, baseline }: RedFacts): Check {
  const lost = regressions(first, baseline).filter(
    (id) => confirm === null || regressions(confirm, baseline).includes(id),
  );
  if (lost.length === 0) return passed("old_tests");
  const now = statusOf(first);
  const named = lost.map((id) => `${id} (${now.get(id) ?? "gone"})`);
  return failed(
    "old_tests",
    `passed on the base commit and must still pass; add new tests beside them: ${listed(named)}`,
    lost,
  );
}

function stable({ first, second }: RedFacts, tests: readonly string[]): Check {
  if (second === null || tests.length === 0) return passed("stable");
  if (second.timedOut || !second.report.report)
    return unclear("stable", "the second run gave no report in time");
  const [one, two] = [outcomes(first), outcomes(second)];
  const flaky = tests.filter((id) => one.get(id) !== two.get(id));
  if (flaky.length === 0) return passed("stable", tests);
  return failed("stable", `flaky: another result in a second, shuffled run: ${listed(flaky)}`, flaky);
}

function outcomes(suite: Suite): ReadonlyMap<string, string> {
  return new Map(suite.report.tests.map((test) => [test.id, `${test.status} ${test.kind ?? ""}`]));
}

function findings({ first, confirm, baseline, stubs, criteria: ids }: RedFacts): readonly Finding[] {
  const { preExisting } = withoutPreExisting(first, baseline);
  const wavering =
    confirm === null
      ? []
      : regressions(first, baseline).filter((id) => !regressions(confirm, baseline).includes(id));
  return [
    ...preExisting.map((id): Finding => ({
      code: "pre-existing",
      severity: "finding",
      message: `already fails on the base commit: ${id}`,
      testId: id,
    })),
    ...wavering.map((id): Finding => ({
      code: "flaky",
      severity: "finding",
      message: `an old test failed once and passed again: ${id}`,
      testId: id,
    })),
    ...stubs.map((stub): Finding => ({
      code: "stubbed",
      severity: "finding",
      message: `${stub.path} is planned; stubbed for this check: ${listed(stub.names)}`,
      path: stub.path,
    })),
    ...(ids === null
      ? [{ code: "criteria", severity: "finding", message: "criteria: not checked" } satisfies Finding]
      : []),
  ];
}

function placed({ path, line, what, kind }: SourceMark): string {
  return `${path}:${line}: ${kind === "no_assertion" ? `"${what}" asserts nothing` : what}`;
}

function signature(checks: readonly Check[]): string {
  return checks
    .filter((check) => check.verdict === "fail")
    .map((check) => [check.name, ...check.tests.toSorted()].join(" "))
    .toSorted()
    .join("\n");
}

/** Tests of the run that failed; what a reviewer reads beside the verdict. */
export function failing(suite: Suite): readonly string[] {
  return idsWith(suite, "failed", "pending");
}
