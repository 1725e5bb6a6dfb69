/** What surrounds a drive: projections before it, leftovers and branches after it. Everything here may be done twice. */
import { openCommands } from "../kernel/inspect.ts";
import { endLeftovers } from "../process/leftovers.ts";
import type { DriveEnd } from "./drive.ts";
import { moveBranch, resultBranch, workBranch } from "../run/branches.ts";
import type { RunContext } from "../run/context.ts";
import { dispatchVariable } from "../channel/environment.ts";
import { dispatchValue } from "../dispatch/spec.ts";
import { clearWorkspaces } from "../dispatch/workspace/workspace.ts";
import type { FamilyRun } from "../family/family.ts";
import { tipsOf } from "../run/later-commit.ts";
import { dropHookFacts } from "../dispatch/hook-facts.ts";
import { assertSameKey } from "../run/signing-key.ts";
import { rootMerge } from "../log/nodes.ts";
import { resultOf } from "../log/run-view.ts";

/** Brings the visible world to where the journal is: documents that were deleted, branches that a crash left behind. */
export async function prepareRun(context: FamilyRun): Promise<void> {
  const { view } = context.session;
  // The folder of a run that has ended may be another run's by now.
  if (view.ended) return finishRun(context, { type: "ended", outcome: view.ended.outcome });
  await assertSameKey(context);
  await endOrphans(context);
  await context.family.prepare(context);
}

/** An agent that outlived the process that started it would work where the next one does. */
async function endOrphans({ run, session }: RunContext): Promise<void> {
  for (const command of openCommands(session.state))
    if (command.type === "dispatch") await endLeftovers(dispatchVariable, dispatchValue(run, command.key));
}

export async function finishRun(context: FamilyRun, end: DriveEnd): Promise<void> {
  if (end.type !== "ended") return;
  const { ended } = context.session.view;
  await context.family.project(context);
  await dropHookFacts(context);
  await clearWorkspaces(context);
  await context.family.finish(context);
  const result = resultOf(context.session.view);
  if (ended?.outcome !== "complete" || result === null) return;
  // The nodes of a graph have branches of their own.
  const work = rootMerge(context.session.view.nodes) === null ? [workBranch(context.run)] : [];
  await bringBranches(context, [...work, resultBranch(context.run)], result);
}

/** A branch that a crash left behind comes along; one to which somebody added a commit keeps it (CORE-71). */
async function bringBranches(context: RunContext, refs: readonly string[], commit: string): Promise<void> {
  const { commits, head } = context.session.view;
  const tips = await tipsOf(context.repository, context.run);
  const own = new Set([context.started.base, head.red, ...commits.map((made) => made.commit)]);
  for (const ref of refs) {
    const now = tips.get(ref);
    if (now !== commit && (now === undefined || own.has(now))) await moveBranch(context, ref, commit);
  }
}
