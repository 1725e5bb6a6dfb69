/** The folder of a prompt, in which `envoy git worktree` makes its worktree. It outlives dispatch and run. */
import { mkdir, realpath } from "node:fs/promises";
import { commitTree } from "../../git/objects/commit.ts";
import { resolveCommit, headsPrefix } from "../../git/repository.ts";
import { treeOf } from "../../git/objects/tree.ts";
import { restorePointer } from "../../git/worktree/worktree-folder.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import { implementationBranch } from "../../plans/worktree/branch-names.ts";
import { readWork, type WorktreeState } from "../../plans/worktree/work.ts";
import { branchFolder, worktreeOf } from "../../plans/worktree/worktree.ts";
import type { RunContext } from "../../run/context.ts";
import { featureBranchOf, stepsWork, type StepsWork } from "./work.ts";

/** Creates it if missing; null for an agent that works on no prompt. */
export async function promptFolder(context: RunContext, work: StepsWork): Promise<string | null> {
  const branch = branchOf(context, work);
  if (branch === null) return null;
  const folder = branchFolder(context.repository, branch);
  await mkdir(folder, { recursive: true });
  return realpath(folder);
}

/** The steps that the agent of a dispatch follows; null for none. */
export async function stepsFollowedBy(
  context: RunContext,
  command: DispatchCommand,
): Promise<StepsWork | null> {
  return context.protocol.roles[command.role]?.writes === "worktree" ? stepsWork(context, command) : null;
}

export async function worktreeOfPrompt(context: RunContext, work: StepsWork): Promise<string | null> {
  const branch = branchOf(context, work);
  const found = branch === null ? null : await worktreeOf(context.repository, branch);
  // The agent may have changed the worktree's pointer to the repository, which git trusts.
  if (found !== null && !found.isMain) await restorePointer(context.repository, found.path);
  return found?.path ?? null;
}

/** The current tree: the work on the prompt while it has a branch, else the feature branch. */
export async function currentTree(
  context: RunContext,
  work: StepsWork,
): Promise<{ readonly tree: string; readonly commit: string }> {
  const { repository, started } = context;
  const feature = featureBranchOf(started) ?? "";
  const branch = branchOf(context, work);
  const found = branch === null ? null : await readWork(repository, { feature, branch });
  if (found !== null) return { tree: found.tree, commit: await commitOf(context, found) };
  const commit = await resolveCommit(repository, headsPrefix + feature);
  return { tree: await treeOf(repository, commit), commit };
}

/** A commit of the whole worktree, with uncommitted files. */
async function commitOf(
  { repository, session }: RunContext,
  { tree, head, isCommitted }: WorktreeState,
): Promise<string> {
  if (isCommitted) return head;
  const dateMs = Date.parse(session.view.started?.at ?? "");
  return commitTree(repository, {
    tree,
    parents: [head],
    subject: "Uncommitted changes",
    trailers: {},
    dateMs,
  });
}

function branchOf({ started }: RunContext, { subject }: StepsWork): string | null {
  const feature = featureBranchOf(started);
  return subject.type === "prompt" && feature !== null ? implementationBranch(feature, subject.id) : null;
}
