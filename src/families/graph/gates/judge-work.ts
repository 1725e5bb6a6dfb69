/** The common part of a node's gates: they judge work on the current head, and again if that moved meanwhile. */
import { conclude, unclear } from "../../../gates/check.ts";
import type { Verdict } from "../../../gates/verdict.ts";
import type { RunEvent } from "../../../log/run-event.ts";
import { requireNode, workOf } from "../facts.ts";
import type { Node } from "../node.ts";
import { advanceBranch, placeWork } from "../rebase/place-work.ts";
import type { GateProof } from "../../../proof/proof.ts";
import type { GateRequest, GateResult } from "../../../family/gate.ts";
import { refuse, type Candidate } from "../../../engine/checks/work.ts";
import { faultFacts } from "./fault.ts";

export interface WorkCheck extends GateRequest {
  readonly node: Node;
  readonly work: Candidate;
}

export interface WorkRules<Proof extends GateProof> {
  readonly kind: Candidate["kind"];
  /** The commit that the work must be based on. */
  readonly onto: (node: Node) => string;
  readonly prove: (workCheck: WorkCheck) => Promise<Proof>;
  /** The commit that the node's branch moves to after a pass; by default the work's own commit. */
  readonly head?: (workCheck: WorkCheck) => Promise<string>;
  /** Facts to journal after the branch has moved. */
  readonly accept: (workCheck: WorkCheck, proof: Proof, head: string) => Promise<readonly RunEvent[]>;
  /** Facts to journal after a failure. */
  readonly failed?: (workCheck: WorkCheck, proof: Proof) => Promise<readonly RunEvent[]>;
}

/** The number of times that a moving head is followed. */
const maxAttempts = 5;

export async function judgeWork<Proof extends GateProof>(
  request: GateRequest,
  rules: WorkRules<Proof>,
): Promise<GateResult> {
  const { context, command } = request;
  for (let tries = 0; tries < maxAttempts; tries++) {
    const node = requireNode(context, command);
    const own = workOf(context, node, rules.kind);
    const place = await placeWork(context, own, rules.onto(node));
    if (place.type === "conflict") return refusal(request, own, place.verdict);
    const workCheck = { ...request, node, work: place.work };
    const proof = await rules.prove(workCheck);
    const { verdict, drafts } = proof;
    const fault = faultFacts(proof, command.key);
    if (verdict.verdict !== "pass") {
      const { facts = [] } = await refusal(request, own, verdict);
      const more = verdict.verdict === "fail" ? ((await rules.failed?.(workCheck, proof)) ?? []) : [];
      return { verdict, drafts, facts: [...facts, ...more, ...fault] };
    }
    if (request.signal.aborted) return { verdict, drafts };
    if (requireNode(context, command).entry.head !== node.entry.head) continue;
    const head = (await rules.head?.(workCheck)) ?? workCheck.work.commit;
    const diverged = await advanceBranch(context, node, { to: head, key: command.key });
    if (diverged !== null) return { verdict: diverged, drafts };
    return { verdict, drafts, facts: [...(await rules.accept(workCheck, proof, head)), ...fault] };
  }
  const why = "the node's branch moved each time while its work was judged";
  return { verdict: conclude({ checks: [unclear("branch", why)], findings: [] }) };
}

async function refusal({ context }: GateRequest, work: Candidate, verdict: Verdict): Promise<GateResult> {
  return { verdict, facts: await refuse(context, { work, verdict }) };
}
