/** Detects branches of a run that moved off the tree its gates checked: a record proves no other tree (CORE-44). */
import { listRefsAt, readRefs } from "../git/refs.ts";
import type { GitPlace } from "../git/git.ts";
import type { Repository } from "../git/repository.ts";
import { treeOf } from "../git/objects/tree.ts";
import type { LaterCommit } from "../views/gate/claims.ts";
import type { RunView } from "../log/run-view.ts";
import { resultBranch, workBranch } from "./branches.ts";

/** Branch -> commit. */
export type Tips = ReadonlyMap<string, string>;

/** @param place git searches the repository from its folder */
export async function tipsOfRuns(place: GitPlace): Promise<Tips> {
  return new Map((await listRefsAt(place, "refs/heads/mettle/")).map(({ ref, commit }) => [ref, commit]));
}

/** The branch tips of one run. */
export async function tipsOf(repository: Repository, run: string): Promise<Tips> {
  const refs = [workBranch(run), resultBranch(run)];
  const tips = await readRefs(repository, refs);
  return new Map(refs.flatMap((ref, at) => (tips[at] == null ? [] : [[ref, tips[at]] as const])));
}

/** The commit that the run's branches should point to. */
export interface BranchState {
  readonly run: string;
  readonly commit: string | null;
  /** Only a complete run has a result branch. */
  readonly isComplete: boolean;
}

export function branchStateOf({ run, head, ended }: RunView): BranchState {
  return { run, commit: head.branch, isComplete: ended?.outcome === "complete" };
}

/** A branch that points to another commit, with that commit; a deleted branch does not count. */
export function movedBranch(
  tips: Tips,
  { run, commit, isComplete }: BranchState,
): readonly [string, string] | null {
  if (commit === null) return null;
  for (const ref of [workBranch(run), ...(isComplete ? [resultBranch(run)] : [])]) {
    const tip = tips.get(ref);
    if (tip !== undefined && tip !== commit) return [ref, tip];
  }
  return null;
}

export async function laterCommit(
  repository: Repository,
  view: RunView,
  tips?: Tips,
): Promise<LaterCommit | null> {
  const left = branchStateOf(view);
  if (left.commit === null) return null;
  const moved = movedBranch(tips ?? (await tipsOf(repository, view.run)), left);
  if (moved === null) return null;
  const [ref, commit] = moved;
  const [tree, before] = await Promise.all([treeOf(repository, commit), treeOf(repository, left.commit)]);
  return tree === before ? null : { branch: ref.replace("refs/heads/", ""), commit, tree };
}
