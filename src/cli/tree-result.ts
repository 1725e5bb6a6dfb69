/** The additional output of a command that drove a graph: its tree, its criteria, and the proof of its result. */
import { currentBranch } from "../git/repository.ts";
import { nodeBranchName, rootId } from "../families/graph/node.ts";
import { criteriaTested } from "../families/graph/view/criteria-tested.ts";
import { treeStatus } from "../families/graph/view/tree-status.ts";
import type { RunContext } from "../run/context.ts";
import { rootMerge } from "../log/nodes.ts";
import type { RunView } from "../log/run-view.ts";
import type { SummaryFacts } from "../views/run/summary.ts";
import { nodeTable } from "../views/tree/tree-text.ts";

/** Empty for a run without nodes. The driver has finished, so no agent is at work. */
export async function treeJson(context: RunContext): Promise<Readonly<Record<string, unknown>>> {
  if (rootId(context) === null) return {};
  const { run, session } = context;
  const resultBranch = session.view.ended?.outcome === "complete" ? `mettle/${run}/result` : null;
  return { ...(await treeStatus(context, null)), resultBranch };
}

type TreeFacts = Pick<SummaryFacts, "requirements" | "gates" | "nodes" | "branch" | "merge">;

/** Null for a run without nodes. */
export async function treeFacts(context: RunContext): Promise<TreeFacts | null> {
  const id = rootId(context);
  if (id === null) return null;
  const { run, session } = context;
  const { nodes } = await treeStatus(context, null);
  const isComplete = session.view.ended?.outcome === "complete";
  const result = `mettle/${run}/result`;
  const branch = session.view.started?.branch ?? null;
  const isHere = branch === null || branch === (await currentBranch(context.repository));
  return {
    requirements: await criteriaTested(context),
    gates: null,
    nodes: nodeTable(nodes),
    branch: isComplete ? result : nodeBranchName(run, id),
    ...(isComplete
      ? { merge: `${isHere ? "" : `git switch ${branch} && `}git merge --ff-only ${result}` }
      : {}),
  };
}

/** The record of the squash that became the result; undefined before that. */
export function resultRecord({ records, nodes }: RunView): RunView["records"][number] | undefined {
  const commit = rootMerge(nodes)?.commit;
  return records.findLast((record) => record.purpose === "squash" && record.commit === commit);
}
