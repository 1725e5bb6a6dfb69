/** Exchanges the work of a run that is in one checkout: between a person's checkout and the workers (SCL-09). */
import type { FamilyRun } from "../../family/family.ts";
import type { Handover } from "../../family/handover.ts";
import type { RunClaim } from "../../journal/journal.ts";
import { AppError } from "../../lib/errors.ts";
import { openRun } from "../../families/open-run.ts";
import { withHost, type OpenHost } from "../../run/host.ts";
import { foldOpenRuns } from "../../run/list-runs.ts";
import { isOfWorkers } from "../../run/run-host.ts";
import { pushRunRefs, takePlanRef } from "../../run/run-remote.ts";

/**
 * Places what workers did, and gives them what the person changed. While a worker does the run it takes nothing.
 * @throws run_busy if a worker does the run and the person changed something; plan_differs, remote_failed
 */
export async function handOver({ journal, me }: OpenHost, context: FamilyRun): Promise<void> {
  const { handover } = context.family;
  const { run } = context;
  if (handover === null || !isOfWorkers(context)) return;
  if (context.session.view.ended !== null) return void (await placeHere(context));
  const claim = await claimRun({ journal, me }, context, handover);
  if (claim === null) return void (await placeHere(context));
  try {
    await takePlanRef(context);
    await handover.place(context, { packs: true });
    await claim.confirm();
    const contested = await pushRunRefs(context);
    if (contested.length > 0)
      throw new AppError("plan_differs", `a worker has moved the plan of run ${run} meanwhile`, {
        hint: "call the same command again",
        retry: "safe",
      });
    await handover.pushed(context);
  } finally {
    await claim.release();
  }
}

/** Whoever has claimed the run may move its plan. @returns null if a worker has it, and there is nothing to give @throws run_busy */
async function claimRun(
  { journal, me }: Pick<OpenHost, "journal" | "me">,
  context: FamilyRun,
  handover: Handover,
): Promise<RunClaim | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await journal.claim(context.run, me);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "run_busy") throw error;
      if (!(await handover.isChanged(context))) return null;
      // A worker whose run waits has soon let go of it.
      if (attempt === maxClaims) throw error;
      await context.clock.sleep(pauseMs);
    }
  }
}

const maxClaims = 20;
const pauseMs = 500;

/** Places what workers did, without giving them anything. @returns the plan's folder; null for a run without one @throws plan_differs, remote_failed */
export async function placeHere(context: FamilyRun): Promise<string | null> {
  const { handover } = context.family;
  if (handover === null || !isOfWorkers(context)) return null;
  await takePlanRef(context);
  return handover.place(context, { packs: false });
}

/** Before a person answers a gate of a plan: places the plans of all runs on workers in which this gate is open. */
export async function placeGate(cwd: string, gate: string): Promise<void> {
  await withHost(cwd, async (host) => {
    for (const { run, started, planGates } of await foldOpenRuns(host.journal))
      if (started?.workers !== undefined && planGates.some((one) => one.gate === gate))
        await placeHere(await openRun(host, { run }));
  });
}
