/**
 * Finds the plan of a branch: `.claude/plans/<branch>/` of the main checkout, from any checkout. In the worktree of a prompt it is
 * the plan of the feature branch.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openWithBranch, type Repository } from "../git/repository.ts";
import { AppError } from "../lib/errors.ts";
import { folderNames, readBranch } from "./worktree/branch-names.ts";
import { planBranch, planFile } from "./plan.ts";
import { readPlanFile } from "./read-file.ts";
import type { PlanFolder } from "./write.ts";

export interface PlanLookup {
  readonly cwd: string;
  /** The PATH that finds git. */
  readonly path: string;
  /** Overrides the current branch. */
  readonly featureBranch: string | null;
}

export interface PlanLocation extends PlanFolder {
  readonly repository: Repository;
  /** The feature branch. */
  readonly branch: string;
}

/** The feature branch; it may not have a plan yet. */
export async function findFeatureBranch({
  cwd,
  path,
  featureBranch,
}: PlanLookup): Promise<Omit<PlanLocation, "dir">> {
  const { repository, branch: current } = await openWithBranch(cwd, { path });
  const name = featureBranch ?? current ?? (await detachedBranch(repository));
  if (name === null)
    throw new AppError("no_branch", "HEAD is detached, so there is no branch with a plan", {
      hint: "check out the feature branch, or name it: --feature-branch BRANCH",
    });
  const branch = readBranch(name).feature;
  if (protectedBranches.has(branch))
    throw new AppError("direct_mode", `${branch} is a protected branch and has no plan`, {
      hint: "check out a feature branch: git switch -c feature/NAME",
    });
  return { repository, branch };
}

/** The plan of the branch. Throws `no_plan` if it has none. */
export async function findPlan(where: PlanLookup): Promise<PlanLocation> {
  const { repository, branch } = await findFeatureBranch(where);
  const dir = await planFolder(repository, branch);
  if (dir !== null) return { repository, branch, dir };
  throw new AppError("no_plan", `the branch ${branch} has no plan`, {
    hint: "create it: envoy plan init",
  });
}

/** The plan folder of the branch; null if it has no plan. */
export async function planFolder(repository: Repository, branch: string): Promise<string | null> {
  const place = await findFolder(repository, branch);
  return place.owner === branch ? place.dir : null;
}

/** The plan folder of the branch, or a free one for a new plan. Two branches may share the usual name. */
export async function findFolder(
  repository: Repository,
  branch: string,
): Promise<{ readonly dir: string; readonly owner: string | null }> {
  let free: string | null = null;
  for (const name of folderNames(branch)) {
    const dir = join(plansFolder(repository), name);
    const owner = await ownerOf(dir);
    if (owner === branch) return { dir, owner };
    if (owner === null) free ??= dir;
    // A plan keeps its folder when the plan that had the usual name is removed.
    if (free !== null && name !== folderNames(branch).next().value) return { dir: free, owner: null };
  }
  throw new TypeError("there is always one more name");
}

export function plansFolder({ root }: Repository): string {
  return plansIn(root);
}

/** @param root of the main checkout */
export function plansIn(root: string): string {
  return join(root, ".claude", "plans");
}

async function ownerOf(dir: string): Promise<string | null> {
  const file = planFile(dir);
  const text = await readPlanFile(file);
  return text === null ? null : planBranch(file, text);
}

/** The branch of a prompt's worktree during a rebase, from the note that `envoy git worktree` wrote beside HEAD. */
async function detachedBranch(repository: Repository): Promise<string | null> {
  const found = await readFile(branchNoteFile(repository.checkoutGitDir), "utf8").catch(() => null);
  return found === null ? null : found.trim();
}

export function branchNoteFile(checkoutGitDir: string): string {
  return join(checkoutGitDir, "mettle-branch");
}

export const protectedBranches: ReadonlySet<string> = new Set([
  "main",
  "master",
  "develop",
  "development",
  "dev",
  "staging",
  "stage",
  "production",
  "prod",
]);
