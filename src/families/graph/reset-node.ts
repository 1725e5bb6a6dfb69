/**
 * Resets a node's branch to one of its commits at a person's request; discarded work is rescued (V3-70). Locked tests
 * and merged children stay, so it cannot go back beyond them.
 */
import { AppError } from "../../lib/errors.ts";
import { updateRef } from "../../git/refs.ts";
import { isAncestor, resolveCommit } from "../../git/repository.ts";
import type { RunEvent } from "../../log/run-event.ts";
import type { RunContext } from "../../run/context.ts";
import { rescueWork } from "../../run/rescue-work.ts";
import { nodeBranch, type Node } from "./node.ts";

export async function resetNode(
  context: RunContext,
  { id, entry }: Node,
  { commit: given, key }: { readonly commit: string; readonly key: string },
): Promise<readonly RunEvent[]> {
  const { repository, run } = context;
  const commit = await resolveCommit(repository, given);
  const { head, base, locked, merged } = entry;
  const kept = [base, ...(locked === null ? [] : [locked.commit]), ...merged.map((child) => child.commit)];
  const holds = await Promise.all(kept.map((ancestor) => isAncestor(repository, { ancestor, of: commit })));
  if (holds.includes(false) || !(await isAncestor(repository, { ancestor: commit, of: head })))
    throw new AppError("revision_unknown", `${id} cannot go back to ${given}`, {
      hint: `choose one of \`git log ${kept.at(-1) ?? base}..${head}\`: locked tests and merged children stay`,
    });
  if (commit === head) return [];
  await rescueWork(context, { key, reason: "reset by a person", work: { commit: head } });
  await updateRef(repository, { ref: nodeBranch(run, id), to: commit, from: head });
  return [{ type: "node.moved", node: id, by: "reset", commit, base }];
}
