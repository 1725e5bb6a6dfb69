/**
 * The pack of a plan: one commit with everything that the next host needs. Its tree has the plan's files and a list of the branches; its
 * parents are their commits, so that a push brings all of it. The same work gives the same commit.
 */
import * as z from "zod";
import { commitTree } from "../../../git/objects/commit.ts";
import { storeFolder } from "../../../git/objects/folder-tree.ts";
import { readFile, writeBlob } from "../../../git/objects/tree.ts";
import { git, text } from "../../../git/git.ts";
import { listRefs, readRef } from "../../../git/refs.ts";
import { branchCommit, headsPrefix, inStore, type Repository } from "../../../git/repository.ts";
import { AppError } from "../../../lib/errors.ts";
import { parseJson } from "../../../lib/json.ts";
import { planFolder, type PlanLocation } from "../../../plans/find-plan.ts";
import { withGatesLock } from "../../../plans/gates/wait.ts";
import { readWork } from "../../../plans/worktree/work.ts";
import { withPlan } from "../../../plans/write.ts";
import type { RunContext } from "../../../run/context.ts";
import { planRef } from "../../../run/run-remote.ts";
import { featureBranchOf } from "../work.ts";

const CommitId = z.string().regex(/^[0-9a-f]{40,64}$/u, "a commit id");

const PackedBranch = z.strictObject({
  name: z.string(),
  commit: CommitId,
  /** Of its worktree: its files, with those that no commit has; null without a worktree. */
  work: CommitId.nullable(),
});
export type PackedBranch = Readonly<z.infer<typeof PackedBranch>>;

const Contents = z.strictObject({
  version: z.literal(1),
  /** The feature branch. */
  branch: z.string(),
  commit: CommitId,
  branches: z.array(PackedBranch).readonly(),
});

export interface PlanPack extends Readonly<z.infer<typeof Contents>> {
  /** Id of the pack's commit. */
  readonly id: string;
  /** Tree of the plan's files. */
  readonly plan: string;
}

/** Of a plan's folder: neither locks nor drafts of files that are being written. */
export function isPlanFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return !/^\.(?:.+\.)?lock(?:-journal|-wal|-shm)?$/u.test(name) && !/^\..+\.[a-z0-9]+\.tmp$/u.test(name);
}

/** Packs the plan of this checkout. @returns null without a plan here @throws revision_unknown without its branch */
export async function packHere(context: RunContext): Promise<PlanPack | null> {
  const { repository } = context;
  const branch = featureBranchOf(context.started) ?? "";
  const dir = await planFolder(repository, branch);
  if (dir === null) return null;
  const plan: PlanLocation = { repository, branch, dir };
  // Before the branches: a merge that the plan does not know yet is found again, and one that only the plan knows is not.
  const tree = await withGatesLock({ plan }, () =>
    withPlan(plan, () => storeFolder(repository, { folder: dir, takes: isPlanFile })),
  );
  const branches = await packBranches(context, branch);
  return packOf(context, { plan: tree, branch, commit: await branchCommit(repository, branch), branches });
}

/** The branches of the plan's prompts, with the uncommitted work of their worktrees. */
export async function packBranches(context: RunContext, feature: string): Promise<readonly PackedBranch[]> {
  const found = await branchesOf(context.repository, feature);
  return Promise.all(found.map((branch) => packBranch(context, branch)));
}

/** A pack of these parts. */
export async function packOf(
  context: RunContext,
  { plan, branch, commit, branches }: Omit<PlanPack, "id" | "version">,
): Promise<PlanPack> {
  const { repository, run } = context;
  const contents = { version: 1, branch, commit, branches } as const;
  const list = await writeBlob(repository, `${JSON.stringify(contents, null, 2)}\n`);
  const input = `100644 blob ${list}\t${listName}\n040000 tree ${plan}\t${planName}\n`;
  const tree = text(await git(inStore(repository), ["mktree"], { input }));
  const kept = branches.flatMap((one) => [one.commit, ...(one.work === null ? [] : [one.work])]);
  const id = await commitTree(repository, {
    tree,
    parents: [...new Set([commit, ...kept])],
    subject: `The plan of ${branch}`,
    trailers: { "Mettle-Run": run },
    dateMs: startOf(context),
  });
  return { ...contents, id, plan };
}

/** The newest pack of the run that is known here; null without one. */
export async function newestPack(context: RunContext): Promise<PlanPack | null> {
  return packAt(context, planRef(context.run));
}

/** The pack that a ref of this checkout names; null without one. @throws plan_differs if it is of a newer version, or no pack of this plan */
export async function packAt({ repository, started }: RunContext, ref: string): Promise<PlanPack | null> {
  const id = await readRef(repository, ref);
  return id === null ? null : readPack(repository, id, featureBranchOf(started) ?? "");
}

/**
 * Others push packs, and a person's checkout is made from them: a pack moves no branch but those of its plan.
 * @param feature the branch of the plan @throws plan_differs if it is of a newer version, or no pack of this plan
 */
export async function readPack(repository: Repository, id: string, feature: string): Promise<PlanPack> {
  const file = await readFile(repository, { commit: id, path: listName });
  const read = Contents.safeParse(parseJson(file?.toString("utf8") ?? ""));
  const isOfPlan =
    read.data?.branch === feature && read.data.branches.every(({ name }) => isOfPrompt(name, feature));
  if (!read.success || !isOfPlan)
    throw new AppError("plan_differs", `the pack ${id} is no pack of the plan of ${feature}`, {
      hint: "a newer Mettle may have made it: upgrade this host; or look who pushed it",
    });
  const args = ["rev-parse", "--verify", "--quiet", `${id}:${planName}`];
  return { ...read.data, id, plan: text(await git(inStore(repository), args)) };
}

function isOfPrompt(branch: string, feature: string): boolean {
  return promptFolders.some((folder) => branch.startsWith(`${folder}${feature}--implementation-`));
}

/** Of the branches of prompts, before the name of the feature branch. */
const promptFolders = ["", "archive/"];

/** Whether two packs have the same plan and the same work on its prompts. */
export function isSameWork(one: PlanPack | null, other: PlanPack | null): boolean {
  if (one === null || other === null) return one === other;
  return one.plan === other.plan && JSON.stringify(one.branches) === JSON.stringify(other.branches);
}

const listName = "pack.json";
const planName = "plan";

export interface PromptBranch {
  readonly name: string;
  readonly commit: string;
}

/** The branches of the plan's prompts, and those that were archived. */
export async function branchesOf(repository: Repository, feature: string): Promise<readonly PromptBranch[]> {
  const lists = await Promise.all(
    promptFolders.map((folder) =>
      listRefs(repository, `${headsPrefix}${folder}${feature}--implementation-*`),
    ),
  );
  return lists.flat().map(({ ref, commit }) => ({ name: ref.slice(headsPrefix.length), commit }));
}

async function packBranch(context: RunContext, { name, commit }: PromptBranch): Promise<PackedBranch> {
  const { repository } = context;
  const feature = featureBranchOf(context.started) ?? "";
  const work = await readWork(repository, { feature, branch: name });
  if (work === null || work.path === null || work.isMain) return { name, commit, work: null };
  if (work.isCommitted && work.head === commit) return { name, commit, work: commit };
  const parents = [commit];
  const subject = "Uncommitted changes";
  const dateMs = startOf(context);
  return {
    name,
    commit,
    work: await commitTree(repository, { tree: work.tree, parents, subject, trailers: {}, dateMs }),
  };
}

function startOf({ session }: RunContext): number {
  return Date.parse(session.view.started?.at ?? "");
}
