/**
 * After a crash, resets a node's branch to the journaled head if a rebase moved it without being journaled. The open
 * command rebases again, perhaps onto a newer head; until then the node's children find the branch they expect. A
 * branch that only moved forward stays: its gate finds it done, and somebody may have continued from it.
 */
import { isAncestor } from "../../../git/repository.ts";
import { readRef, updateRef } from "../../../git/refs.ts";
import type { Command } from "../../../kernel/command.ts";
import type { RunContext } from "../../../run/context.ts";
import { nodeBranch, nodeOf } from "../node.ts";
import { moveRef } from "./place-work.ts";

export async function undoUnjournaledMoves(context: RunContext, again: readonly Command[]): Promise<void> {
  const { repository, run } = context;
  for (const command of again) {
    const node = nodeOf(context, command);
    if (node === null) return;
    const moved = await readRef(repository, moveRef(run, command.key));
    if (moved === null) continue;
    const { head } = node.entry;
    const ref = nodeBranch(run, node.id);
    const isOurs = (await readRef(repository, ref)) === moved;
    if (!isOurs || (await isAncestor(repository, { ancestor: head, of: moved }))) continue;
    await updateRef(repository, { ref, to: head, from: moved });
  }
}
