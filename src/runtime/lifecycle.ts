/** What surrounds a drive: projections before it, leftovers and branches after it. Everything here may be done twice. */
import type { DriveEnd } from "./drive.ts";
import { moveBranch, resultBranch, workBranch } from "./branches.ts";
import type { RunContext } from "./context.ts";
import { clearWorkspaces } from "./dispatch/workspace.ts";
import { projectDocuments } from "./documents.ts";

/** Brings the visible world to where the journal is: documents that were deleted, branches that a crash left behind. */
export async function prepareRun(context: RunContext): Promise<void> {
  const { view } = context.session;
  // The folder of a run that has ended may be another run's by now.
  if (view.ended) return finishRun(context, { type: "ended", outcome: view.ended.outcome });
  await projectDocuments(context);
}

export async function finishRun(context: RunContext, end: DriveEnd): Promise<void> {
  if (end.type !== "ended") return;
  const { head, ended } = context.session.view;
  await clearWorkspaces(context);
  if (ended?.outcome !== "complete" || head.green === null) return;
  await moveBranch(context, workBranch(context.run), head.green);
  await moveBranch(context, resultBranch(context.run), head.green);
}
