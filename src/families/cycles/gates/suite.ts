/**
 * integration_test and Ω₆ⱽ: runs the whole suite on the run's head in a clean checkout; all frozen tests are required
 * (TDP-39).
 */
import { proveFinal } from "../../../proof/final-proof.ts";
import { plainOutcomes, type Gate } from "../../../family/gate.ts";
import { proofFacts } from "../../../engine/checks/red.ts";
import { union } from "../../../lib/lists.ts";
import { proofCommon } from "../../../run/proof-ports.ts";

export const suiteGate: Gate = {
  outcomes: plainOutcomes,
  async check({ context, command, signal }) {
    const { head, frozen, cyclesDone } = context.session.view;
    const commit = head.branch ?? context.started.base;
    const proof = await proveFinal({
      ...proofCommon(context, signal),
      head: commit,
      approved: commit,
      required: union(cyclesDone.at(-1)?.required ?? [], frozen?.required ?? []),
    });
    return { verdict: proof.verdict, drafts: proof.drafts, facts: proofFacts(proof, command.key) };
  },
};
