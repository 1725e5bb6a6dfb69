/**
 * The worktree of a node that ended without a merge: the last that was made of it, laid out for a person until `mettle clean`
 * (V3-66). What is in it is on a branch or a rescue ref of the run as well.
 */
import { join } from "node:path";
import { addWorktree } from "../../git/worktree/worktree.ts";
import { exists } from "../../lib/files.ts";
import type { RunContext } from "../../run/context.ts";
import { nodesOfFrames } from "../../log/node-frames.ts";
import { tellUntidied } from "../../run/left-untidied.ts";
import { keptWorkspaces } from "../../runtime/dispatch/workspace/workspace.ts";
import { nodeName, rootId } from "./node.ts";

/** Done twice it changes nothing. @param busy frames whose agents have not ended yet: their work is still to be kept */
export async function keepFailedWorktrees(context: RunContext, busy: ReadonlySet<string> = new Set()): Promise<void> {
  if (rootId(context) === null) return;
  const { view } = context.session;
  for (const { frame, node, name } of failedNodes(context)) {
    const path = join(context.home.worktrees, context.run, name);
    if (busy.has(frame) || (await exists(path))) continue;
    // A run that ended before anything was made leaves nothing to look at.
    const base = node === rootId(context) ? undefined : view.nodes[node]?.base;
    const commit = newestWork(context, frame) ?? base;
    if (commit === undefined) continue;
    const failed = await addWorktree(context.repository, { path, commit }).then(
      () => null,
      (error: unknown) => error,
    );
    if (failed === null) await context.session.record([{ type: "node.kept", node, path, commit }]);
    else await tellUntidied(context, { what: `the worktree of the failed node ${node}`, at: commit, failed });
  }
}

interface FailedNode {
  readonly frame: string;
  readonly node: string;
  /** Of its worktree; a node that was begun anew and fails again gets another. */
  readonly name: string;
}

/** The root has failed where the run ended and is not complete. */
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

/** What was put aside of a dispatch is newer than what was committed of it. */
function newestWork({ session: { view } }: RunContext, frame: string): string | undefined {
  const at = (key: string) => (view.commands[key]?.command.frame === frame ? view.order.indexOf(key) : -1);
  return [...view.commits, ...view.rescued]
    .filter(({ key }) => at(key) !== -1)
    .toSorted((one, other) => at(one.key) - at(other.key))
    .at(-1)?.commit;
}
