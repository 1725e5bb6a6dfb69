/** The steps of the protocol that are missing before a prompt may be merged or completed. */
import { isAncestor, headsPrefix, openRepository, type Repository } from "../../git/repository.ts";
import { readRef } from "../../git/refs.ts";
import { approvalOf, requiredApprovals } from "../approvals.ts";
import { findDebugLogs } from "../debug-logs/cleanup.ts";
import type { PlanLocation } from "../find-plan.ts";
import type { PlanPrompt } from "./prompt.ts";
import { readWork, type WorktreeState } from "../worktree/work.ts";

/** The state of a prompt's branch in git. */
export interface GitState {
  /** Null if there is neither branch nor worktree. */
  readonly work: WorktreeState | null;
  readonly hasMarkers: boolean;
  readonly isMerged: boolean;
}

export async function readGitState(plan: PlanLocation, { fields }: PlanPrompt): Promise<GitState> {
  const { repository, branch: feature } = plan;
  const branch = fields.worktree_branch_name;
  const work = branch === null ? null : await readWork(repository, { feature, branch });
  return {
    work,
    hasMarkers: fields.kind === "debug" && work?.path != null && (await hasMarkers(repository, work.path)),
    isMerged: await isMergedAt(repository, {
      tip: await readRef(repository, headsPrefix + feature),
      hash: fields.merge_commit_hash,
      head: work?.head ?? null,
    }),
  };
}

/** In the order of the protocol. */
export function missingSteps(
  prompt: PlanPrompt,
  { all, state }: { readonly all: readonly PlanPrompt[]; readonly state: GitState },
): readonly string[] {
  const { id, fields } = prompt;
  const lacks = (source: "review" | "testing") =>
    requiredApprovals(prompt).includes(source) && approvalOf(prompt, source) === null;
  const isVariant = all.filter((one) => one.id.number === id.number).length > 1;
  const open: Readonly<Record<string, boolean>> = {
    not_started: fields.worktree_branch_name === null,
    no_implementation: fields.walkthrough.length === 0,
    uncommitted_changes: state.work?.isCommitted === false,
    not_reviewed: lacks("review"),
    not_tested: lacks("testing"),
    variant_unresolved: isVariant && fields.variant_solution === null,
    not_main_variant: fields.variant_solution !== null && fields.variant_solution !== "main",
    debug_markers_left: state.hasMarkers,
    not_merged: !state.isMerged,
  };
  return Object.keys(open).filter((name) => open[name]);
}

async function hasMarkers(repository: Repository, path: string): Promise<boolean> {
  return (await findDebugLogs(await openRepository(path, repository))).files.length > 0;
}

/** Whether the tip of the feature branch contains the recorded merge and every commit of the prompt's branch. */
export async function isMergedAt(
  repository: Repository,
  {
    tip,
    hash,
    head,
  }: { readonly tip: string | null; readonly hash: string | null; readonly head: string | null },
): Promise<boolean> {
  if (hash === null || tip === null) return false;
  for (const ancestor of head === null ? [hash] : [hash, head])
    if (!(await isAncestor(repository, { ancestor, of: tip }))) return false;
  return true;
}
