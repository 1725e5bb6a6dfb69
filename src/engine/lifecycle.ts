/** Work before and after a drive: documents, leftover processes, branches. Every step is idempotent. */
import type { Command } from "../kernel/command.ts";
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
import { assertRunsHere } from "../run/run-host.ts";
import { assertSigningKey } from "../run/signing-key.ts";
import { resultOf } from "../log/run-view.ts";

/**
 * Restores what the journal implies: deleted documents, and branches after a crash.
 * @param again the commands that this process does, perhaps for the second time; default: all open ones
 */
export async function prepareRun(
  context: FamilyRun,
  again: readonly Command[] = openCommands(context.session.state),
): Promise<void> {
  const { view } = context.session;
  assertRunsHere(context);
  // Another run may use the folder of an ended run.
  if (view.ended) return finishRun(context, { type: "ended", outcome: view.ended.outcome });
  await assertSigningKey(context);
  await endOrphans(context, again);
  await context.family.prepare(context, again);
}

/** Ends agents that outlived their parent process: they would write into the next agent's workspace. */
async function endOrphans({ run }: RunContext, again: readonly Command[]): Promise<void> {
  for (const command of again)
    if (command.type === "dispatch") await endLeftovers(dispatchVariable, dispatchValue(run, command.key));
}

export async function finishRun(context: FamilyRun, end: DriveEnd): Promise<void> {
  if (end.type !== "ended") return;
  const { ended, head } = context.session.view;
  await context.family.writeDocuments(context);
  await dropHookFacts(context);
  await clearWorkspaces(context);
  await context.family.finish(context);
  const result = resultOf(context.session.view);
  if (ended?.outcome !== "complete" || result === null) return;
  const work = head.branch === null ? [] : [workBranch(context.run)];
  await bringBranches(context, [...work, resultBranch(context.run)], result);
}

/** Moves branches that a crash left behind; a branch with a person's commits stays (CORE-71). */
async function bringBranches(context: RunContext, refs: readonly string[], commit: string): Promise<void> {
  const { commits, head } = context.session.view;
  const tips = await tipsOf(context.repository, context.run);
  const own = new Set([context.started.base, head.red, ...commits.map((made) => made.commit)]);
  for (const ref of refs) {
    const now = tips.get(ref);
    if (now !== commit && (now === undefined || own.has(now))) await moveBranch(context, ref, commit);
  }
}
