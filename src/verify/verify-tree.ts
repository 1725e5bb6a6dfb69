/** Runs the whole suite on a commit outside any gate, to check a claim or a moved branch. */
import { rootMerge } from "../log/nodes.ts";
import type { RunContext } from "../run/context.ts";
import { proofCommon } from "../run/proof-ports.ts";
import type { RecordDraft } from "../proof/draft.ts";
import { proveFinal } from "../proof/final-proof.ts";

/** @returns the record drafts, the summary last */
export async function verifyTree(context: RunContext, commit: string): Promise<readonly RecordDraft[]> {
  const { head, frozen, nodes } = context.session.view;
  const root = rootMerge(nodes);
  const { drafts } = await proveFinal({
    ...proofCommon(context),
    head: commit,
    approved: commit,
    // Before RED no test is required.
    required: root?.required ?? (head.branch === null ? [] : (frozen?.required ?? [])),
  });
  return drafts.map((draft) => ({ ...draft, purpose: draft.purpose === "final" ? "claim" : draft.purpose }));
}
