/** The nodes of a graph's run as they are now. */
import { treeStatus } from "../families/graph/view/tree-status.ts";
import type { FamilyRun } from "../family/family.ts";
import type { OpenHost } from "../run/host.ts";
import { recorded } from "../run/list-runs.ts";
import { nodesOf } from "../views/model/nodes.ts";
import type { NodeModel } from "../views/model/run-model.ts";

export async function readNodes({ journal }: OpenHost, context: FamilyRun): Promise<readonly NodeModel[]> {
  const { run, session } = context;
  const events = (await journal.read(run)).map(recorded);
  const owner = (await journal.owner(run))?.pid ?? null;
  const { nodes } = await treeStatus(context, owner);
  return nodesOf(session.view, events, nodes);
}
