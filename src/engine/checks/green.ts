/** Phase 7: runs the frozen tests on the coder's commit. */
import type { RunEvent } from "../../log/run-event.ts";
import { moveBranch, workBranch } from "../../run/branches.ts";
import type { RunContext } from "../../run/context.ts";
import { proofCommon } from "../../run/proof-ports.ts";
import { proveGreen } from "../../proof/green-proof.ts";
import type { GateRequest, Gate, GateResult } from "../../family/gate.ts";
import { proofFacts } from "./red.ts";
import { candidate, refuse } from "./work.ts";

export const greenGate: Gate = {
  outcomes: ["pass", "fail", "fail.frozen", "inconclusive"],
  judgesCommit: true,
  check: judgeGreen,
};

async function judgeGreen({ context, command, signal }: GateRequest): Promise<GateResult> {
  const { view } = context.session;
  const work = candidate(context, "green");
  const proof = await proveGreen({
    ...proofCommon(context, signal),
    head: work.commit,
    red: work.parent,
    required: view.frozen?.required ?? [],
    frozen: view.frozen?.files ?? null,
    previous: work.from ?? null,
    tried: work.tried,
    oneFilePerIteration: context.settings.orchestrate.one_file_per_iteration,
  });
  const { verdict } = proof;
  const facts =
    verdict.verdict === "pass"
      ? await accept(context, work.commit)
      : await refuse(context, { work, verdict });
  return { verdict, drafts: proof.drafts, facts: [...facts, ...proofFacts(proof, command.key)] };
}

async function accept(context: RunContext, commit: string): Promise<readonly RunEvent[]> {
  await moveBranch(context, workBranch(context.run), commit);
  return [{ type: "head.moved", kind: "green", commit }];
}
