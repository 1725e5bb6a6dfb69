/**
 * The start commit of a Rebaser: the node's own work on the new head of its parent as far as git can replay it, the
 * rest as one merge with conflict markers. Trailers record the heads, so that the gate judges the same ones.
 */
import { withLabels } from "../../../gates/node/conflict-text.ts";
import { commitTree } from "../../../git/objects/commit.ts";
import { replay, type ReplayResult } from "../../../git/replay.ts";
import { trailersOf } from "../../../git/trailers.ts";
import { treeOf, treeWith } from "../../../git/objects/tree.ts";
import type { DispatchCommand } from "../../../kernel/command.ts";
import { invariant } from "../../../lib/assert-never.ts";
import type { RunContext } from "../../../run/context.ts";
import { projectAt } from "../../../proof/project/project.ts";
import { entryOf, type Node } from "../node.ts";

export interface RebasePlace {
  /** Commit of the parent's branch that the node moves onto. */
  readonly base: string;
  /** The node's head before the rebase. */
  readonly head: string;
}

export async function rebaseStart(
  context: RunContext,
  command: DispatchCommand,
  node: Node,
): Promise<{ readonly from: string; readonly parent: string }> {
  const place = currentPlace(context, node);
  const made = await replayOwnWork(context, node, place);
  const before = await lastAttempt(context, command, node, made);
  const tree = before ?? (await mergedTree(context, node, made));
  const from = await commitTree(context.repository, {
    tree,
    parents: [made.tip],
    subject: `Rebase ${node.id} onto the new head of its parent`,
    trailers: {
      "Mettle-Run": context.run,
      "Mettle-Node": node.id,
      "Mettle-Key": command.key,
      "Mettle-Base": place.base,
      "Mettle-Head": place.head,
    },
    dateMs: Date.parse(context.session.view.commands[command.key]?.at ?? ""),
  });
  return { from, parent: made.tip };
}

export function currentPlace(context: RunContext, { parent, entry }: Node): RebasePlace {
  invariant(parent, "the root has no sibling");
  return { base: entryOf(context, parent).head, head: entry.head };
}

/** The place recorded in a Rebaser's start commit; null for any other commit. */
export async function recordedPlace({ repository }: RunContext, from: string): Promise<RebasePlace | null> {
  const trailers = await trailersOf(repository, from);
  const [base, head] = [trailers.get("Mettle-Base"), trailers.get("Mettle-Head")];
  return base === undefined || head === undefined ? null : { base, head };
}

/** Skips commits that are already merged, since the parent's head has them. */
export function replayOwnWork(
  { repository }: RunContext,
  { entry }: Node,
  place: RebasePlace,
): Promise<ReplayResult> {
  return replay(repository, { from: entry.published ?? entry.base, to: place.head, onto: place.base });
}

/** The merge tree of git, with named sides in the conflict markers. */
export async function mergedTree(
  { repository }: RunContext,
  { id, parent }: Node,
  { tip, conflict }: ReplayResult,
): Promise<string> {
  if (conflict === null) return treeOf(repository, tip);
  const texts = await (await projectAt(repository, conflict.tree)).texts(conflict.paths);
  const words = { ours: `${parent ?? "base"} (canon)`, theirs: `${id} (draft)` };
  const marked = [...texts].map(([path, text]) => [path, withLabels(text, words)] as const);
  return treeWith(repository, conflict.tree, new Map(marked));
}

/** A Rebaser that is dispatched again continues its last work if that still has the same parent. */
async function lastAttempt(
  { repository, session }: RunContext,
  { thread }: DispatchCommand,
  { id }: Node,
  { tip }: ReplayResult,
): Promise<string | null> {
  if (thread.type !== "continue") return null;
  const own = session.view.commits.findLast(({ node, kind }) => node === id && kind === "rebased");
  return own?.parent === tip ? treeOf(repository, own.commit) : null;
}
