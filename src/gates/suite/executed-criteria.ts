/** Each criterion of a change needs a test that executes some changed line (CORE-31). */
import { failed, passed, shortList } from "../check.ts";
import { testsOf } from "../documents/criteria.ts";
import type { Check } from "../verdict.ts";

export interface CriteriaOfTests {
  readonly ids: readonly string[];
  /** Criterion -> titles of the architecture's test plan. */
  readonly plan: Readonly<Record<string, readonly string[]>>;
}

export interface ExecutedCriteria {
  readonly criteria: CriteriaOfTests;
  readonly required: readonly string[];
  /** Ids of required tests that execute a changed line; null: unknown, so nothing is asked. */
  readonly executedBy?: readonly string[] | null | undefined;
}

export function checkExecutedCriteria({ criteria, required, executedBy }: ExecutedCriteria): Check {
  const name = "executed_criteria";
  if (executedBy == null) return passed(name);
  const covered = testsOf({ criteria: criteria.ids, tests: required, plan: criteria.plan });
  const tests = Object.entries(covered).filter(
    ([, own]) => own.length > 0 && own.every((id) => !executedBy.includes(id)),
  );
  if (tests.length === 0) return passed(name);
  return failed(
    name,
    `no test of ${shortList(tests.map(([id]) => id))} executes a changed line; a test that calls the changed code is accepted`,
    tests.flatMap(([, own]) => own),
  );
}
