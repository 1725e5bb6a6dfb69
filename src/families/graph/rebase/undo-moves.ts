/**
 * After a crash: a node's branch that was put on another base, of which the journal knows nothing, goes back to where the
 * journal has it. The command that moved it is still open and is done again, perhaps on another head of the parent by now,
 * and until then the node's children find the branch that they know. A branch that only went forward stays: its gate finds
 * it done, and somebody may have gone on from there.
 */
import { isAncestor } from "../../../git/repository.ts";
import { readRef, updateRef } from "../../../git/refs.ts";
import { openCommands } from "../../../kernel/inspect.ts";
import type { RunContext } from "../../../run/context.ts";
import { nodeBranch, nodeOf } from "../node.ts";
import { moveRef } from "./place-work.ts";

export async function undoUnjournaledMoves(context: RunContext): Promise<void> {
  const { repository, run, session } = context;
  for (const command of openCommands(session.state)) {
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
