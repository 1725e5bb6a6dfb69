/** The branch that a node is merged into: its parent's branch, or for the root the commit that the run started from. */
import { isAncestor } from "../../../git/repository.ts";
import { readRef } from "../../../git/refs.ts";
import { resultBranch } from "../../../run/branches.ts";
import type { RunContext } from "../../../run/context.ts";
import { entryOf, nodeBranch, type Node } from "../node.ts";
import { retryWhileMoved } from "./place-work.ts";

export type ParentHead =
  | {
      readonly type: "head";
      readonly commit: string;
      /** Commit of the ref; null if it does not exist. */
      readonly ref: string | null;
    }
  /** Somebody moved it away from what was merged. */
  | { readonly type: "diverged"; readonly why: string };

export function parentRef({ run }: Pick<RunContext, "run">, { parent }: Node): string {
  return parent === null ? resultBranch(run) : nodeBranch(run, parent);
}

/** Commits that a person added on top are accepted; a branch without the merged commits is not. */
export async function parentHead(context: RunContext, node: Node): Promise<ParentHead> {
  const head = await retryWhileMoved(context, async () => {
    const now = await readParentHead(context, node);
    return now.type === "diverged" ? "moved" : now;
  });
  return head === "moved" ? readParentHead(context, node) : head;
}

async function readParentHead(context: RunContext, node: Node): Promise<ParentHead> {
  const { repository } = context;
  const name = parentRef(context, node);
  const ref = await readRef(repository, name);
  if (node.parent === null) return { type: "head", commit: node.entry.base, ref };
  const { head } = entryOf(context, node.parent);
  if (ref === null || ref === head) return { type: "head", commit: head, ref };
  if (await isAncestor(repository, { ancestor: head, of: ref })) return { type: "head", commit: ref, ref };
  const why = `${name} is at ${ref}, which does not contain ${head}, the head that the run set`;
  return { type: "diverged", why };
}
