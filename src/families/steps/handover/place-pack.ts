/** Makes a checkout as a pack says: the plan's files, the branches of its prompts, and their worktrees with uncommitted changes. */
import { mkdir } from "node:fs/promises";
import { git } from "../../../git/git.ts";
import { withoutFilters } from "../../../git/checkout/filters.ts";
import { writeFolder } from "../../../git/objects/folder-tree.ts";
import { deleteRef, pointRefs, readRef } from "../../../git/refs.ts";
import { headsPrefix, type Repository } from "../../../git/repository.ts";
import { removeWorktree } from "../../../git/worktree/worktree.ts";
import { AppError } from "../../../lib/errors.ts";
import { findFolder, plansFolder, type PlanLocation } from "../../../plans/find-plan.ts";
import { planFileName } from "../../../plans/plan.ts";
import { withGatesLock } from "../../../plans/gates/wait.ts";
import { readBranch } from "../../../plans/worktree/branch-names.ts";
import { openWorktree, worktreeOf } from "../../../plans/worktree/worktree.ts";
import { withPlan, writePlanFile } from "../../../plans/write.ts";
import type { RunContext } from "../../../run/context.ts";
import { branchesOf, isPlanFile, type PackedBranch, type PlanPack } from "./pack.ts";

/** The pack that this checkout was last made from, or gave. */
export function placedRef(run: string): string {
  return `refs/mettle-seen/placed/${run}`;
}

export async function notePlaced({ repository, run }: RunContext, { id }: PlanPack): Promise<void> {
  await pointRefs(repository, [{ ref: placedRef(run), commit: id }]);
}

/**
 * The caller knows that nothing here is lost by it. A feature branch that is here is not moved.
 * @param before what is here; branches that are the same there stay untouched
 * @returns the plan's folder
 */
export async function placePack(
  context: RunContext,
  pack: PlanPack,
  before: PlanPack | null,
): Promise<string> {
  const { repository } = context;
  const feature = headsPrefix + pack.branch;
  if ((await readRef(repository, feature)) === null)
    await pointRefs(repository, [{ ref: feature, commit: pack.commit }]);
  const plan = await placePlan(repository, pack);
  const known = new Map(before?.branches.map((one) => [one.name, JSON.stringify(one)]));
  const wanted = new Set(pack.branches.map(({ name }) => name));
  for (const { name, commit } of await branchesOf(repository, pack.branch)) {
    if (wanted.has(name)) continue;
    await clearWorktree(repository, name);
    await deleteRef(repository, { ref: headsPrefix + name, from: commit });
  }
  for (const branch of pack.branches)
    if (known.get(branch.name) !== JSON.stringify(branch)) await placeBranch(plan, branch);
  await notePlaced(context, pack);
  return plan.dir;
}

async function placePlan(
  repository: Repository,
  { branch, plan: tree }: Pick<PlanPack, "branch" | "plan">,
): Promise<PlanLocation> {
  const plans = plansFolder(repository);
  await mkdir(plans, { recursive: true });
  await writePlanFile(plans, ".gitignore", "*\n");
  const { dir } = await findFolder(repository, branch);
  await mkdir(dir, { recursive: true });
  const plan = { repository, branch, dir };
  const files = { folder: dir, takes: isPlanFile, tree, last: planFileName };
  await withGatesLock({ plan }, () => withPlan(plan, () => writeFolder(repository, files)));
  return plan;
}

async function placeBranch(plan: PlanLocation, { name, commit, work }: PackedBranch): Promise<void> {
  const { repository } = plan;
  await clearWorktree(repository, name);
  await pointRefs(repository, [{ ref: headsPrefix + name, commit }]);
  const { prompt } = readBranch(name);
  if (work === null || prompt === null) return;
  const { path } = await openWorktree(plan, prompt);
  if (work === commit) return;
  const place = { path: repository.path, gitDir: null, cwd: path };
  const settings = ["core.sparseCheckout=false", ...(await withoutFilters(repository))];
  await git(place, ["read-tree", "--reset", "-u", work], { settings, workTree: path });
  // The changes are uncommitted, as they were.
  await git(place, ["read-tree", "--reset", commit], { settings, workTree: path });
}

async function clearWorktree(repository: Repository, branch: string): Promise<void> {
  const found = await worktreeOf(repository, branch);
  if (found === null) return;
  if (found.isMain)
    throw new AppError("plan_differs", `${branch} is checked out here, and workers have moved it`, {
      hint: "check out the feature branch, then call the same command again",
    });
  await removeWorktree(repository, found.path);
}

/** Moves the feature branch where only this run works. */
export async function placeFeature(repository: Repository, { branch, commit }: PlanPack): Promise<void> {
  if ((await readRef(repository, headsPrefix + branch)) !== commit)
    await pointRefs(repository, [{ ref: headsPrefix + branch, commit }]);
}
