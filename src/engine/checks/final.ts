/** Phase 10: runs the whole suite in a clean checkout of the approved commit; a pass creates the result branch. */
import { moveBranch, resultBranch } from "../../run/branches.ts";
import { proofCommon } from "../../run/proof-ports.ts";
import { proveFinal } from "../../proof/final-proof.ts";
import { plainOutcomes, type Gate } from "../../family/gate.ts";
import { proofFacts } from "./red.ts";

export const finalGate: Gate = {
  outcomes: plainOutcomes,
  async check({ context, command, signal }) {
    const { head, frozen } = context.session.view;
    const commit = head.green ?? "";
    const proof = await proveFinal({
      ...proofCommon(context, signal),
      head: commit,
      approved: commit,
      required: frozen?.required ?? [],
    });
    if (proof.verdict.verdict === "pass") await moveBranch(context, resultBranch(context.run), commit);
    return { verdict: proof.verdict, drafts: proof.drafts, facts: proofFacts(proof, command.key) };
  },
};
