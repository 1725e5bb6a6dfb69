import type { OpenHost } from "../run/host.ts";
import type { RunStatus } from "../views/run/status.ts";

/** Adds the tree to the status of a graph; a run without nodes is not opened. */
export async function withTree(host: OpenHost, status: RunStatus): Promise<RunStatus> {
  if (status.nodes === null) return status;
  const { treeStatus } = await import("../families/graph/view/tree-status.ts");
  const { openRun } = await import("../families/open-run.ts");
  return { ...status, ...(await treeStatus(await openRun(host, { run: status.run }), status.owner)) };
}
