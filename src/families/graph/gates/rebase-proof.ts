/** Proves a rebase (V3-41): what passed before passes, the siblings' locks hold, and no locked test changed. */
import type { Verdict } from "../../../gates/verdict.ts";
import { ancestorLocks, ownLocks, siblingLocks } from "../locks.ts";
import type { Node } from "../node.ts";
import type { RebasePlace } from "../rebase/rebase-start.ts";
import type { GateRequest } from "../../../family/gate.ts";
import { proveTree, type TreeProof } from "./tree-proof.ts";

export async function proveRebased(
  { context, signal }: Pick<GateRequest, "context" | "signal">,
  node: Node,
  rebased: {
    readonly commit: string;
    readonly place: RebasePlace;
    readonly controls: (verdict: Verdict) => Readonly<Record<string, string>>;
  },
): Promise<TreeProof> {
  const { commit, place, controls } = rebased;
  const own = await ownLocks(context, node);
  const siblings = siblingLocks(context, node);
  return proveTree({
    context,
    signal,
    purpose: "rebase",
    commit,
    before: [place.head, place.base],
    required: siblings.required,
    locked: { ...(await ancestorLocks(context, node, place.base)), ...siblings.files, ...own.files },
    build: false,
    controls,
  });
}
