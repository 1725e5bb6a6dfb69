/** What the gates of a node have in common: they judge work on the head as it is, and again where that moved meanwhile. */
import { conclude, unclear } from "../../../gates/check.ts";
import type { Verdict } from "../../../gates/verdict.ts";
import type { RunEvent } from "../../../log/run-event.ts";
import { requireNode, workOf } from "../facts.ts";
import type { Node } from "../node.ts";
import { advanceBranch, placeWork } from "../rebase/place-work.ts";
import type { GateProof } from "../../../proof/proof.ts";
import type { Checking, Judged } from "../../../runtime/checks/check.ts";
import { refuse, type Candidate } from "../../../runtime/checks/work.ts";
import { faultFacts } from "./fault.ts";

export interface WorkCheck extends Checking {
  readonly node: Node;
  readonly work: Candidate;
}

export interface WorkRules<Proof extends GateProof> {
  readonly kind: Candidate["kind"];
  /** The commit that the work must stand on. */
  readonly onto: (node: Node) => string;
  readonly prove: (asked: WorkCheck) => Promise<Proof>;
  /** What the node's branch moves to when it passed; the work's own commit where this is missing. */
  readonly head?: (asked: WorkCheck) => Promise<string>;
  /** What is so from now on, after the branch has moved. */
  readonly accept: (asked: WorkCheck, proof: Proof, head: string) => Promise<readonly RunEvent[]>;
  /** Facts of work that failed. */
  readonly failed?: (asked: WorkCheck, proof: Proof) => Promise<readonly RunEvent[]>;
}

/** A head that moves all the time is no place to judge anything. */
const maxAttempts = 5;

export async function judgeWork<Proof extends GateProof>(
  checking: Checking,
  judging: WorkRules<Proof>,
): Promise<Judged> {
  const { context, command } = checking;
  for (let tries = 0; tries < maxAttempts; tries++) {
    const node = requireNode(context, command);
    const own = workOf(context, node, judging.kind);
    const place = await placeWork(context, own, judging.onto(node));
    if (place.type === "conflict") return refusal(checking, own, place.verdict);
    const asked = { ...checking, node, work: place.work };
    const proof = await judging.prove(asked);
    const { verdict, drafts } = proof;
    const fault = faultFacts(proof, command.key);
    if (verdict.verdict !== "pass") {
      const { facts = [] } = await refusal(checking, own, verdict);
      const more = verdict.verdict === "fail" ? ((await judging.failed?.(asked, proof)) ?? []) : [];
      return { verdict, drafts, facts: [...facts, ...more, ...fault] };
    }
    if (checking.signal.aborted) return { verdict, drafts };
    if (requireNode(context, command).entry.head !== node.entry.head) continue;
    const head = (await judging.head?.(asked)) ?? asked.work.commit;
    const astray = await advanceBranch(context, node, { to: head, key: command.key });
    if (astray !== null) return { verdict: astray, drafts };
    return { verdict, drafts, facts: [...(await judging.accept(asked, proof, head)), ...fault] };
  }
  const why = "the node's branch moved each time while its work was judged";
  return { verdict: conclude({ checks: [unclear("branch", why)], findings: [] }) };
}

async function refusal({ context }: Checking, work: Candidate, verdict: Verdict): Promise<Judged> {
  return { verdict, facts: await refuse(context, { work, verdict }) };
}
