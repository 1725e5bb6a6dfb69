/** Input of the Merger: both nodes with their branches, the approval and the contract suite. */
import type { NodeInput } from "../../../protocol/graph-types/nodes.ts";
import { TDDApproval, type NodeInfo } from "../../../protocol/graph-types/shared.ts";
import type { RunContext } from "../../../run/context.ts";
import { nodeBranchName, type Node } from "../node.ts";
import { requireAccepted } from "../payloads.ts";
import { workPayload } from "./work-payload.ts";

export async function mergerInput(context: RunContext, node: Node): Promise<NodeInput<"merger">> {
  const { entry } = node;
  const { contractSuite } = await workPayload(context, node);
  return {
    parentNode: parentInfo(context, node),
    childNode: infoOf(context, node.id),
    tddApproval: await requireAccepted(context, { entry, exit: "Approved", type: TDDApproval }),
    contractSuite,
  };
}

export function infoOf({ run }: Pick<RunContext, "run">, nodeId: string): NodeInfo {
  return { nodeId, branch: nodeBranchName(run, nodeId) };
}

/** The parent of the root is the branch that the run started from (V3-82). */
function parentInfo(context: RunContext, { parent }: Node): NodeInfo {
  if (parent !== null) return infoOf(context, parent);
  const { branch, base } = context.started;
  return { nodeId: "base", branch: branch ?? base };
}
