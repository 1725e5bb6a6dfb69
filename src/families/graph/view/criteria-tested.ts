/** The criteria of a graph's root and the tests that cover each. */
import { nodesOfFrames } from "../../../log/node-frames.ts";
import type { RunContext } from "../../../run/context.ts";
import type { TestedRequirement } from "../../../views/gate/presentation.ts";
import { coverageOf } from "../decision/coverage.ts";
import { specOf } from "../facts.ts";
import { entryOf, rootId } from "../node.ts";

/** Empty before the root has begun. */
export async function criteriaTested(context: RunContext): Promise<readonly TestedRequirement[]> {
  const id = rootId(context);
  if (id === null) return [];
  const entry = entryOf(context, id);
  const [frame = ""] = nodesOfFrames(context.session.view).keys();
  const { acceptanceCriteria } = await specOf(context, entry);
  const { criteriaWithTests } = await coverageOf(context, { id, frame, depth: 0, parent: null, entry });
  return acceptanceCriteria.map((criterion) => ({
    ...criterion,
    tests: criteriaWithTests.flatMap(([of, test]) => (of === criterion.id ? [test] : [])),
  }));
}
