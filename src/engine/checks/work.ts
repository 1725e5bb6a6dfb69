/** The commit that a gate judges, from the newest dispatch of its kind; it is accepted, or refused and kept. */
import { invariant } from "../../lib/assert-never.ts";
import type { Verdict } from "../../gates/verdict.ts";
import { rescue } from "../../git/rescue.ts";
import type { EventOf, RunEvent } from "../../log/run-event.ts";
import { moveBranch, workBranch } from "../../run/branches.ts";
import type { RunContext } from "../../run/context.ts";
import { reasonsOf } from "./reasons.ts";

export type Candidate = EventOf<"commit.made">;

export function candidate({ session }: RunContext, kind: Exclude<Candidate["kind"], "other">): Candidate {
  const found = session.view.commits.findLast((commit) => commit.kind === kind);
  invariant(found, `a ${kind} gate runs only after a dispatch that was committed`);
  return found;
}

/** Moves the run's branch to work that passed its gate, or keeps refused work. */
export async function acceptOrRefuse(
  context: RunContext,
  kind: EventOf<"head.moved">["kind"],
  { work, verdict }: { readonly work: Candidate; readonly verdict: Verdict },
): Promise<readonly RunEvent[]> {
  if (verdict.verdict !== "pass") return refuse(context, { work, verdict });
  await moveBranch(context, workBranch(context.run), work.commit);
  return [{ type: "head.moved", kind, commit: work.commit }];
}

/** Keeps refused work for the agent's next turn and for a person. Inconclusive work is not refused. */
export async function refuse(
  context: RunContext,
  { work, verdict }: { readonly work: Candidate; readonly verdict: Verdict },
): Promise<readonly RunEvent[]> {
  if (verdict.verdict !== "fail") return [];
  const reason = reasonsOf(verdict).join("; ");
  const { repository, run, session } = context;
  const at = session.view.commands[work.key]?.at ?? "";
  const kept = await rescue(repository, {
    run,
    key: work.key,
    reason,
    work: { commit: work.commit },
    dateMs: Date.parse(at),
  });
  return kept === null
    ? []
    : [{ type: "work.rescued", key: work.key, ref: kept.ref, commit: kept.commit, reason }];
}
