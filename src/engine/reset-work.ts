/** A breaker's option a): resets the run's branch to one of its commits and keeps the discarded work under a ref (ORC-81). */
import { AppError } from "../lib/errors.ts";
import { resolveCommit } from "../git/repository.ts";
import type { RunEvent } from "../log/run-event.ts";
import { moveBranch, workBranch } from "../run/branches.ts";
import type { RunContext } from "../run/context.ts";
import { rescueWork } from "../run/rescue-work.ts";

export interface Reset {
  readonly commit: string;
  readonly key: string;
}

/** Rescues the newest work, moves the branch and returns the fact. @throws revision_unknown for a commit of no run state */
export async function resetWork(
  context: RunContext,
  { commit: given, key }: Reset,
): Promise<readonly RunEvent[]> {
  const { repository, session, started, run } = context;
  const { head, commits, cyclesDone } = session.view;
  const commit = await resolveCommit(repository, given);
  const cycles = cyclesDone.map((done) => done.commit);
  const targets = [started.base, ...cycles, head.red, head.green, head.branch].filter(
    (target) => target !== null,
  );
  if (!targets.includes(commit))
    throw new AppError("revision_unknown", `run ${run} cannot go back to ${given}`, {
      hint: `choose one of ${[...new Set(targets)].join(", ")}`,
    });
  const newest = commits.at(-1);
  if (newest && newest.commit !== commit)
    await rescueWork(context, { key, reason: "reset by a person", work: { commit: newest.commit } });
  await moveBranch(context, workBranch(run), commit);
  return [{ type: "head.moved", kind: "reset", commit }];
}
