/** Phase 5: the runtime's own RED gate on the test writer's commit; a pass freezes the protected set. */
import { parseArchitecture } from "../../gates/architecture-document.ts";
import type { RunEvent } from "../../kernel/run-event.ts";
import { moveBranch, workBranch } from "../branches.ts";
import { baselineCache, proofPorts } from "../proof-ports.ts";
import { proveRed, type RedProof } from "../proof/red-proof.ts";
import type { RunContext } from "../context.ts";
import { plainOutcomes, type Checking, type Gate, type Judged } from "./check.ts";
import { criteriaIds, documentText } from "./documents.ts";
import { candidate, refuse, type Candidate } from "./work.ts";

export const redGate: Gate = { outcomes: plainOutcomes, check: judgeRed };

async function judgeRed({ context, command, signal }: Checking): Promise<Judged> {
  const work = candidate(context, "red");
  const criteria = await criteriaIds(context);
  const architecture = parseArchitecture((await documentText(context, "architecture")) ?? "", criteria);
  const proof = await proveRed({
    ports: proofPorts(context, signal),
    cache: baselineCache(context),
    settings: context.settings,
    base: context.started.base,
    head: work.commit,
    criteria,
    plan: architecture.plan,
    planned: architecture.files,
  });
  const facts =
    proof.verdict.verdict === "pass"
      ? await accept(context, work, proof)
      : await refuse(context, { work, verdict: proof.verdict });
  return {
    verdict: proof.verdict,
    drafts: proof.drafts,
    facts: [...facts, ...outputFact(proof, command.key)],
  };
}

async function accept(
  context: RunContext,
  { commit }: Candidate,
  proof: RedProof,
): Promise<readonly RunEvent[]> {
  await moveBranch(context, workBranch(context.run), commit);
  return [
    { type: "head.moved", kind: "red", commit },
    { type: "files.frozen", commit, files: { ...proof.frozen }, required: [...proof.required] },
  ];
}

/** The output of the run that was judged becomes the document that agents and reviewers are given. */
export function outputFact({ output }: Pick<RedProof, "output">, key: string): readonly RunEvent[] {
  return output === null
    ? []
    : [{ type: "document.written", name: "test-output", ref: output, by: "runtime", key }];
}
