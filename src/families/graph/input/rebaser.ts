/** Input of the Rebaser: its node, the head of its parent's branch, and what a sibling changed. */
import type { Cause, DispatchCommand } from "../../../kernel/command.ts";
import { invariant } from "../../../lib/assert-never.ts";
import type { NodeInput } from "../../../protocol/graph-types/nodes.ts";
import { MergeComplete, type MergeEvent } from "../../../protocol/graph-types/shared.ts";
import type { RunContext } from "../../../run/context.ts";
import { entryOf, type Node } from "../node.ts";
import { readStored } from "../payloads.ts";
import { infoOf } from "./merger.ts";

export async function rebaserInput(
  context: RunContext,
  command: DispatchCommand,
  node: Node,
): Promise<NodeInput<"rebaser">> {
  invariant(node.parent, "the root has no sibling");
  return {
    node: infoOf(context, node.id),
    parentBranch: infoOf(context, node.parent).branch,
    newParentHead: entryOf(context, node.parent).head,
    mergeEvent: await mergeEventOf(context, command.causes, node),
  };
}

/**
 * The merge event to adapt to, without the commit (V3-79). A rebased node passes the same event on to its children
 * (V3-22), so the search follows the causes. A node sent back by its parent's contracts adapts to the last merge.
 */
export async function mergeEventOf(
  context: RunContext,
  causes: readonly Cause[],
  { parent }: Pick<Node, "parent">,
): Promise<MergeEvent> {
  const last = parent === null ? undefined : entryOf(context, parent).merged.at(-1);
  const found =
    (await mergeAmong(context, causes, new Set())) ??
    (last === undefined ? null : await readStored(context, last.event, MergeComplete));
  invariant(found, "a rebase begins with a merge");
  const { author, impactLevel, changes } = found;
  return { author, impactLevel, changes };
}

async function mergeAmong(
  context: RunContext,
  causes: readonly Cause[],
  seen: Set<string>,
): Promise<MergeComplete | null> {
  for (const { key, payload } of causes.toReversed()) {
    if (seen.has(key)) continue;
    seen.add(key);
    const read =
      payload === undefined
        ? null
        : MergeComplete.safeParse(JSON.parse(await context.payloads.text(payload)));
    if (read?.success === true) return read.data;
    const before = context.session.view.commands[key]?.command.causes ?? [];
    const found = await mergeAmong(context, before, seen);
    if (found !== null) return found;
  }
  return null;
}
