/** The runtime's coverage report: which criteria have an executed, passing test. The agent's is not used (V3-36). */
import { criteriaOfTest } from "../../../gates/node/node-tests.ts";
import { ImplResult, type CoverageReport } from "../../../protocol/graph-types/shared.ts";
import type { RunContext } from "../../../run/context.ts";
import { allPlannedTests, specOf } from "../facts.ts";
import type { Node } from "../node.ts";
import { acceptedOf } from "../payloads.ts";

/** Counts tests that are locked here or came with a merged child. Other tests do not belong to the spec. */
export async function coverageOf(context: RunContext, node: Node): Promise<CoverageReport> {
  const { entry } = node;
  const spec = await specOf(context, entry);
  const criteria = spec.acceptanceCriteria.map(({ id }) => id);
  const result = await acceptedOf(context, { entry, exit: "TestsPassed", type: ImplResult });
  const locked = new Set([
    ...(entry.locked?.required ?? []),
    ...entry.merged.flatMap(({ required }) => required),
  ]);
  const plan = await allPlannedTests(context, node);
  const pairs = (result?.passedTests ?? [])
    .filter((test) => locked.has(test))
    .flatMap((test) => criteriaOfTest(test, { criteria, plan }).map((id): [string, string] => [id, test]));
  return {
    criteriaWithTests: criteria.flatMap((id) => pairs.filter(([of]) => of === id)),
    criteriaMissing: criteria.filter((id) => !pairs.some(([of]) => of === id)),
  };
}
