/** Which criteria have a test that was executed and passed: the runtime's own report, whatever the agent sent (V3-36). */
import { testsOf } from "../../gates/criteria.ts";
import {
  ImplResult,
  Spec,
  type CoverageReport,
  type PlannedTest,
} from "../../protocol/graph-types/shared.ts";
import type { RunContext } from "../context.ts";
import { testPlan } from "./input/work-payload.ts";
import type { Node } from "./node.ts";
import { acceptedOf, readStored } from "./payloads.ts";

export async function coverageOf(context: RunContext, node: Node): Promise<CoverageReport> {
  const { entry } = node;
  const { acceptanceCriteria } = await readStored(context, entry.spec, Spec);
  const result = await acceptedOf(context, { entry, exit: "TestsPassed", type: ImplResult });
  const found = testsOf({
    criteria: acceptanceCriteria.map(({ id }) => id),
    tests: result?.passedTests ?? [],
    plan: planByCriterion(await testPlan(context, node)),
  });
  const pairs = Object.entries(found);
  return {
    criteriaWithTests: pairs.flatMap(([id, tests]) => tests.map((test): [string, string] => [id, test])),
    criteriaMissing: pairs.filter(([, tests]) => tests.length === 0).map(([id]) => id),
  };
}

/** Criterion -> the names of its planned tests. */
export function planByCriterion(plan: readonly PlannedTest[]): Readonly<Record<string, readonly string[]>> {
  const named: Record<string, string[]> = {};
  for (const { criterionId, plannedTestName } of plan) (named[criterionId] ??= []).push(plannedTestName);
  return named;
}
