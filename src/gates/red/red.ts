/** RED: tests alone, one for each criterion, all failing for the right reason, nothing else broken. */
import { conclude, failed, shortList, passed, unclear } from "../check.ts";
import { testsOf } from "../documents/criteria.ts";
import { checkDispute } from "../review/dispute.ts";
import { checkAsserts, mustNotThrowFindings } from "./asserts.ts";
import { checkLinks } from "../links.ts";
import { oldTextChecks } from "./old-text.ts";
import { outsideDeclared, outsideTests } from "../../source/paths.ts";
import { checkFails, passFindings } from "./passing-tests.ts";
import { checkTautology, nullStubFindings } from "./null-stubs.ts";
import { checkCanFail, weakFindings } from "./weak-tests.ts";
import { newTests, type RedFacts } from "./red-facts.ts";
import {
  conditionFindings,
  mocksNoUnit,
  noSkip,
  oldTestsPass,
  rightReason,
  sameNameFindings,
  stable,
  unique,
} from "./red-tests.ts";
import { snapshotChecks, unstoredFindings } from "./unstored.ts";
import { surroundingChecks, surroundingFindings } from "../suite/surrounding.ts";
import type { TestProblem } from "../../evidence/test-result.ts";
import { hasResult, oldFindings, unusableReason, withoutPreExisting } from "../suite/suite.ts";
import type { Check, Finding, Verdict } from "../verdict.ts";

export function judgeRed(facts: RedFacts): Verdict {
  const tests = newTests(facts);
  const unjudgeable = unjudgeableCheck(facts);
  const checks: Check[] = [
    paths(facts),
    checkLinks(facts.links),
    unjudgeable ?? notEmpty(facts, tests),
    ...(unjudgeable === null
      ? [load(facts), checkFails(facts, tests), rightReason(facts, tests), checkTautology(facts)]
      : []),
    noSkip(facts, tests),
    checkAsserts(facts),
    mocksNoUnit(facts),
    ...snapshotChecks(facts),
    checkCanFail(facts),
    ...(unjudgeable === null
      ? [
          criteria(facts, tests),
          unique(facts, tests),
          oldTestsPass(facts),
          ...oldTextChecks(facts),
          stable(facts, tests),
          ...surroundingChecks(inSurrounding(facts)).filter(({ verdict }) => verdict === "fail"),
        ]
      : []),
    ...(facts.dispute === undefined ? [] : [checkDispute(facts.dispute, tests)]),
  ];
  return conclude({ checks, findings: findings(facts), signature: signature(checks) });
}

function inSurrounding({ surrounding, accepted, accepting }: RedFacts) {
  const unknown = { state: "not measured", why: "there was no test run" } as const;
  return { controls: { surrounding: surrounding ?? unknown }, accepted, accepting };
}

function paths({ changed, rules, declared, unit, composed = false }: RedFacts): Check {
  if (composed) return passed("paths");
  const outside = outsideTests(changed, rules).filter((path) => !unit.inline.has(path));
  const undeclared = declared === undefined ? [] : outsideDeclared(changed, declared);
  if (outside.length === 0 && undeclared.length > 0)
    return failed(
      "paths",
      `only the test paths of this cycle (${shortList(declared ?? [])}) may change here; also changed: ${shortList(undeclared)}`,
    );
  if (outside.length === 0) return passed("paths");
  return failed(
    "paths",
    `only tests and fixtures (${shortList(rules.tests)}) may change here; also changed: ${shortList(outside)}`,
  );
}

/** The check of a run that cannot be judged; null where it can. */
function unjudgeableCheck({ baseline, first, second, changed }: RedFacts): Check | null {
  if (changed.length === 0) return failed("not_empty", "no test was added: nothing changed");
  const machine = baseline.environment ?? first.environment ?? second?.environment;
  if (machine != null) return unclear("not_empty", machine);
  if (!hasResult(baseline))
    return unclear(
      "not_empty",
      baseline.timedOut
        ? "the base commit's own tests gave no report in time, so nothing can be compared"
        : `the runner left no complete, readable report of the base commit's own tests (exit code ${baseline.exitCode ?? "none"}), so nothing can be compared`,
    );
  const nothing = unusableReason(baseline);
  if (nothing !== null) return unclear("not_empty", nothing);
  if (first.timedOut) return unclear("not_empty", "the test run did not end in time");
  if (first.report.report) return null;
  if (baseline.report.tests.length > 0)
    return failed(
      "not_empty",
      "early_exit: the runner left no report, but did on the base commit: a test ends the process",
    );
  return unclear(
    "not_empty",
    `the runner left no complete, readable report (exit code ${first.exitCode ?? "none"})`,
  );
}

function notEmpty(
  { first, baseline, testCalls, listing, composed }: RedFacts,
  tests: readonly string[],
): Check {
  const { unlisted = [], patterns = [] } = listing ?? {};
  if (unlisted.length > 0) {
    const names = patterns.length === 0 ? "" : `; its configuration names ${shortList(patterns)}`;
    return failed("not_empty", `the runner does not pick up ${shortList(unlisted)}${names}`);
  }
  if (tests.length > 0) return passed("not_empty", tests);
  const { loadErrors } = withoutPreExisting(first, baseline).suite.report;
  const unloaded = loadErrors.map(({ file }) => file);
  if (unloaded.length > 0)
    return failed("not_empty", `no new test was found: ${shortList(unloaded)} must load first`);
  if (first.report.tests.length > 0 || testCalls === 0)
    return failed(
      "not_empty",
      `no new test was found; ${composed === true ? addATest : "add failing tests"}`,
    );
  return unclear("not_empty", "the runner found zero tests, though the changed files hold some");
}

const addATest =
  "add a test that fails on the base and passes with the change; if no behaviour should change, as when a repeated test is removed, use `mettle gate refactor`";

function load({ first, baseline, declared, missingFileHint, unit }: RedFacts): Check {
  const { suite } = withoutPreExisting(first, baseline);
  const { loadErrors, problems } = suite.report;
  const ended = problems.filter(
    ({ code }) => code === "early_exit" || code === "killed" || code === "interrupted",
  );
  const missing = problems.filter(({ code }) => code === "tests_not_executed");
  const empty = problems.filter(({ code }) => code === "no_tests");
  const reasons = [
    ...loadErrors.map(({ file, message }) => `${file} does not load: ${message.split("\n")[0] ?? ""}`),
    ...ended.map(({ code, file, message }) => `${code}: ${file ?? "a test file"}: ${message}`),
    ...empty.map(({ file }) => `${file ?? "a test file"} holds no test, or ends its process before them`),
  ];
  if (loadErrors.length > 0 && unit.mistake !== null) {
    const { file, line, message } = unit.mistake;
    reasons.push(`${file}:${line}: ${message}: no planned file explains this, so change the test`);
  } else if (loadErrors.length > 0)
    reasons.push(
      missingFileHint ??
        (declared === undefined
          ? "a module that does not exist yet is stubbed when the File Structure of the architecture names it"
          : "a module that does not exist yet is stubbed when the cycle of the plan names it under files"),
    );
  if (reasons.length > 0) return failed("load", reasons.join("; "));
  if (missing.length > 0) return unclear("load", `tests_not_executed: ${missing.map(unexecuted).join("; ")}`);
  return passed("load");
}

function unexecuted({ file, message }: TestProblem): string {
  return file === null ? message : `${file}: ${message}`;
}

function criteria({ criteria: ids, plan }: RedFacts, tests: readonly string[]): Check {
  if (ids === null) return passed("criteria");
  const covered = testsOf({ criteria: ids, tests, plan });
  const without = ids.filter((id) => covered[id]?.length === 0);
  if (without.length === 0) return passed("criteria", Object.values(covered).flat());
  return failed("criteria", `no new test for ${shortList(without)}; put the id into the title of its test`);
}

function findings(facts: RedFacts): readonly Finding[] {
  const { first, stubs, criteria: ids } = facts;
  return [
    ...oldFindings({ ...facts, suite: first }),
    ...passFindings(facts),
    ...conditionFindings(facts),
    ...sameNameFindings(facts, newTests(facts)),
    ...nullStubFindings(facts),
    ...mustNotThrowFindings(facts),
    ...unstoredFindings(facts),
    ...weakFindings(facts),
    ...surroundingFindings(inSurrounding(facts)),
    ...(facts.weakened ?? []),
    ...stubs.map((stub): Finding => ({
      code: "stubbed",
      severity: "finding",
      message: `${stub.path} is planned; stubbed for this check: ${shortList(stub.names)}`,
      path: stub.path,
    })),
    ...(facts.dispute?.disputed.length === 0
      ? [{ code: "dispute", severity: "finding", message: "the disputed test was not named" } as const]
      : []),
    ...(ids === null
      ? [{ code: "criteria", severity: "finding", message: "criteria: not checked" } as const]
      : []),
  ];
}

function signature(checks: readonly Check[]): string {
  return checks
    .filter((check) => check.verdict === "fail")
    .map((check) => [check.name, ...check.tests.toSorted()].join(" "))
    .toSorted()
    .join("\n");
}
