/** Exchanges the work of a run that is in one checkout: between a person's checkout and the workers (SCL-09). */
import type { FamilyRun } from "../../family/family.ts";
import { AppError } from "../../lib/errors.ts";
import { openRun } from "../../families/open-run.ts";
import { withHost, type OpenHost } from "../../run/host.ts";
import { foldOpenRuns } from "../../run/list-runs.ts";
import { isOfWorkers } from "../../run/run-host.ts";
import { pushRunRefs, takePlanRef } from "../../run/run-remote.ts";

/**
 * Places what workers did, and gives them what the person changed. While a worker does the run nothing changes hands.
 * @throws plan_differs, remote_failed
 */
export async function handOver({ journal, me }: OpenHost, context: FamilyRun): Promise<void> {
  const { handover } = context.family;
  const { run } = context;
  if (handover === null || !isOfWorkers(context)) return;
  if (context.session.view.ended !== null) return void (await placeHere(context));
  // Whoever has claimed the run may move its plan.
  const claim = await journal.claim(run, me).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "run_busy") return null;
    throw error;
  });
  if (claim === null) return;
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
  } finally {
    await claim.release();
  }
}

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
