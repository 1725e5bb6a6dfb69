/** What siblings changed since the node's base: the symbols that a Rebaser may follow (V3-39). */
import { isAncestor } from "../../../git/repository.ts";
import type { Cause } from "../../../kernel/command.ts";
import { MergeComplete, type ChangeEntry } from "../../../protocol/graph-types/shared.ts";
import type { RunContext } from "../../../run/context.ts";
import { mergeEventOf } from "../input/rebaser.ts";
import { entryOf, type Node } from "../node.ts";
import { readStored } from "../payloads.ts";

/** The handled event and later merges into the same parent, which are part of its head too. */
export async function mergeChanges(
  context: RunContext,
  { id, parent, entry }: Node,
  causes: readonly Cause[],
): Promise<readonly ChangeEntry[]> {
  const { repository } = context;
  const event = await mergeEventOf(context, causes, { parent });
  const changes = [...event.changes];
  for (const merged of parent === null ? [] : entryOf(context, parent).merged) {
    if (merged.child === id || merged.child === event.author) continue;
    if (await isAncestor(repository, { ancestor: merged.commit, of: entry.base })) continue;
    changes.push(...(await readStored(context, merged.event, MergeComplete)).changes);
  }
  return changes;
}
