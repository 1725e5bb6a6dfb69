import { InitWork } from "../../../protocol/graph-types/scaffold.ts";
import type { InitWorkPayload, PlannedTest } from "../../../protocol/graph-types/shared.ts";
import { MoreTests } from "../../../protocol/graph-types/tdd.ts";
import type { RunContext } from "../../../run/context.ts";
import { resultsOf } from "../history.ts";
import type { Node } from "../node.ts";
import { decisionPayload, requireAccepted } from "../payloads.ts";

/** The accepted scaffold for TDD and Impl: without the children, with the tests that reviews requested. */
export async function workPayload(context: RunContext, node: Node): Promise<InitWorkPayload> {
  const { entry } = node;
  const { scaffoldCommit, interfaceFile, contractSuite } = await requireAccepted(context, {
    entry,
    exit: "InitWork",
    type: InitWork,
  });
  return { scaffoldCommit, interfaceFile, contractSuite, testPlan: await testPlan(context, node) };
}

/** Tests planned by the newest scaffold and by each MoreTests since (V3-16). */
export async function testPlan(context: RunContext, { frame, entry }: Node): Promise<PlannedTest[]> {
  const work = await requireAccepted(context, { entry, exit: "InitWork", type: InitWork });
  const results = resultsOf(context, frame);
  const scaffold = results.findLastIndex(({ outcome }) => outcome === "InitWork");
  const requested = await Promise.all(
    results
      .slice(scaffold + 1)
      .filter(({ outcome }) => outcome === "MoreTests")
      .map(async ({ payload }) => MoreTests.parse(await decisionPayload(context, payload ?? ""))),
  );
  const known = new Set<string>();
  return [...work.testPlan, ...requested.flatMap(({ additionalTests }) => additionalTests)].filter(
    ({ plannedTestName }) => !known.has(plannedTestName) && known.add(plannedTestName),
  );
}
