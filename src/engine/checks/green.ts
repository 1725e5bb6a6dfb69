/** Phase 7: runs the frozen tests on the coder's commit. */
import { proofCommon } from "../../run/proof-ports.ts";
import { holdoutWords } from "../../views/gate/holdout-words.ts";
import { proveGreen } from "../../proof/green-proof.ts";
import type { GateRequest, Gate, GateResult } from "../../family/gate.ts";
import { parseArchitecture } from "../../gates/documents/architecture-document.ts";
import { missingTest } from "../../gates/suite/mutation.ts";
import { criteriaIds, documentText } from "./documents.ts";
import { proofFacts, withFindings } from "./red.ts";
import { acceptOrRefuse, candidate } from "./work.ts";

export const greenGate: Gate = {
  outcomes: ["pass", "fail", "fail.frozen", "inconclusive"],
  judgesCommit: true,
  check: judgeGreen,
};

async function judgeGreen({ context, command, signal }: GateRequest): Promise<GateResult> {
  const { view } = context.session;
  const work = candidate(context, "green");
  const criteria = await criteriaIds(context);
  const { plan } = parseArchitecture((await documentText(context, "architecture")) ?? "", criteria);
  const proof = await proveGreen({
    ...proofCommon(context, signal),
    criteria,
    plan,
    head: work.commit,
    red: work.parent,
    required: view.frozen?.required ?? [],
    frozen: view.frozen?.files ?? null,
    previous: work.from ?? null,
    tried: work.tried,
    holdout: holdoutWords(view, work.key),
    oneFilePerIteration: context.settings.orchestrate.one_file_per_iteration,
  });
  const { verdict } = proof;
  const shown = await withFindings(context, proof, {
    code: missingTest,
    title: "Mettle made these faults, and no test noticed them:",
  });
  const facts = await acceptOrRefuse(context, "green", { work, verdict });
  return { verdict, drafts: proof.drafts, facts: [...facts, ...proofFacts(shown, command.key)] };
}
