/**
 * Pushes what the jobs of a run made on this worker (SCL-04). They share one clone: each push has the refs of all, and a branch that it
 * gives up to another host may be one that another job here has moved.
 */
import { AppError } from "../lib/errors.ts";
import { contestRunRefs, pushRunRefs, type SharedRun } from "../run/run-remote.ts";
import { inTurn } from "./in-turn.ts";

/** Run -> how often branches of it were given up on this worker. */
const counts = new Map<string, number>();

/** A command that moves a branch is done again if this number has grown since it began. */
export function givenUp({ run }: Pick<SharedRun, "run">): number {
  return counts.get(run) ?? 0;
}

/** @param confirm throws if another host has this one's claim; asked before each push @throws remote_failed */
export async function pushMade(
  context: SharedRun,
  confirm: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { run } = context;
  await inTurn(run, async () => {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      await confirm();
      const contested = await pushRunRefs(context);
      if (contested.length === 0) return;
      const lost = await contestRunRefs(context, contested);
      if (lost.length > 0) counts.set(run, givenUp(context) + 1);
    }
    throw remoteMoves(context);
  });
}

const maxAttempts = 10;

export function remoteMoves({ run }: Pick<SharedRun, "run">): AppError {
  return new AppError("remote_failed", `other processes move the refs of run ${run} all the time`, {
    hint: `\`mettle resume ${run}\` tries again`,
    retry: "safe",
  });
}
