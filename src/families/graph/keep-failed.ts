/**
 * Recreates the last worktree of a node that ended without a merge, for a person to inspect until `mettle clean`
 * (V3-66). Its content is also on a branch or a rescue ref of the run.
 */
import { join } from "node:path";
import { addWorktree } from "../../git/worktree/worktree.ts";
import { exists } from "../../lib/files.ts";
import type { RunContext } from "../../run/context.ts";
import { nodesOfFrames } from "../../log/node-frames.ts";
import { warnCleanupFailed } from "../../run/cleanup-failure.ts";
import { keptWorkspaces } from "../../dispatch/workspace/workspace.ts";
import { isOfWorkers } from "../../run/run-host.ts";
import { nodeName, rootId } from "./node.ts";

/** Idempotent. @param busy frames whose agents have not ended yet, so their work is not saved yet */
export async function keepFailedWorktrees(
  context: RunContext,
  busy: ReadonlySet<string> = new Set(),
): Promise<void> {
  // A person does not look at the folders of a worker; what failed is on refs of the run.
  if (rootId(context) === null || isOfWorkers(context)) return;
  const { view } = context.session;
  for (const { frame, node, name } of failedNodes(context)) {
    const path = join(context.home.worktrees, context.run, name);
    if (busy.has(frame) || (await exists(path))) continue;
    // If the run ended before any work, there is nothing to inspect.
    const base = node === rootId(context) ? undefined : view.nodes[node]?.base;
    const commit = newestWork(context, frame) ?? base;
    if (commit === undefined) continue;
    const failed = await addWorktree(context.repository, { path, commit }).then(
      () => null,
      (error: unknown) => error,
    );
    if (failed === null) await context.session.record([{ type: "node.kept", node, path, commit }]);
    else
      await warnCleanupFailed(context, {
        what: `the worktree of the failed node ${node}`,
        at: commit,
        failed,
      });
  }
}

interface FailedNode {
  readonly frame: string;
  readonly node: string;
  /** Name of its worktree. A restarted node that fails again gets another one. */
  readonly name: string;
}

/** The root failed if the run ended without being complete. */
function failedNodes({ session }: RunContext): readonly FailedNode[] {
  const { ended } = session.view;
  const root = ended !== null && ended.outcome !== "complete" ? rootId({ session }) : null;
  const seen = new Map<string, number>();
  return [...nodesOfFrames(session.view)].flatMap(([frame, node]) => {
    const time = (seen.get(node) ?? 0) + 1;
    seen.set(node, time);
    const hasFailed = node === root || /^failed\b/u.test(session.state.frames[frame]?.outcome ?? "");
    if (!hasFailed) return [];
    return [{ frame, node, name: `${keptWorkspaces}${nodeName(node)}${time === 1 ? "" : `-${time}`}` }];
  });
}

/** Rescued work of a dispatch is newer than its commit. */
function newestWork({ session: { view } }: RunContext, frame: string): string | undefined {
  const at = (key: string) => (view.commands[key]?.command.frame === frame ? view.order.indexOf(key) : -1);
  return [...view.commits, ...view.rescued]
    .filter(({ key }) => at(key) !== -1)
    .toSorted((one, other) => at(one.key) - at(other.key))
    .at(-1)?.commit;
}
