/** How a run of printed steps goes from host to host: its plan, branches and worktrees travel as a pack (SCL-04). */
import { headsPrefix } from "../../../git/repository.ts";
import { pointRefs, readRef } from "../../../git/refs.ts";
import { AppError } from "../../../lib/errors.ts";
import type { HandedResult, Handover } from "../../../family/handover.ts";
import { planFolder } from "../../../plans/find-plan.ts";
import { resultBranch } from "../../../run/branches.ts";
import type { RunContext } from "../../../run/context.ts";
import { planRef } from "../../../run/run-remote.ts";
import { isSameWork, newestPack, packAt, packBranches, packHere, packOf, type PlanPack } from "./pack.ts";
import { settleSavedGates } from "./settle-saved.ts";
import { notePlaced, placedRef, placeFeature, placePack } from "./place-pack.ts";

export const handover: Handover = {
  role: "worker",
  async take(context) {
    const newest = await requirePack(context);
    // What this host did since is a continuation of it.
    if ((await placedHere(context))?.id === newest.id && (await isPlanHere(context, newest))) return;
    await placeFeature(context.repository, newest);
    await placePack(context, newest, null);
  },
  async pack(context) {
    const pack = await packHere(context);
    if (pack === null) throw missing(context, "the plan is gone from the clone");
    await offer(context, pack);
    if (context.session.view.ended?.outcome === "complete")
      await pointRefs(context.repository, [{ ref: resultBranch(context.run), commit: pack.commit }]);
  },
  // Not before: a push that failed would make the person's changes look like the workers'.
  pushed: async (context) => notePlaced(context, await requirePack(context)),
  place: placeForPerson,
  async isChanged(context) {
    const [placed, here] = await Promise.all([placedHere(context), packHere(context)]);
    return here !== null && !isSameWork(here, placed);
  },
  result: async (context): Promise<HandedResult> => {
    const { branch, commit } = await requirePack(context);
    return { branch, commit };
  },
};

async function placeForPerson(context: RunContext, { packs }: { readonly packs: boolean }): Promise<string> {
  const [newest, placed, here] = await Promise.all([
    newestPack(context),
    placedHere(context),
    packHere(context),
  ]);
  if (newest === null) {
    if (here === null) throw missing(context, "its plan is on the host where it was begun");
    if (packs) await offer(context, here);
    return folderOf(context, here);
  }
  if (here === null) {
    // Branches and worktrees of a plan that is gone.
    const known = new Set(
      [...newest.branches, ...(placed?.branches ?? [])].map((one) => JSON.stringify(one)),
    );
    const left = await packBranches(context, newest.branch);
    if (left.some((one) => !known.has(JSON.stringify(one)))) throw differs(context, newest);
    return placePack(context, newest, null);
  }
  if (isSameWork(here, placed)) {
    if (placed?.id === newest.id) return folderOf(context, newest);
    return placePack(context, newest, here);
  }
  if (isSameWork(here, newest)) {
    await notePlaced(context, newest);
    return folderOf(context, newest);
  }
  if (placed?.id !== newest.id) throw differs(context, newest);
  const dir = await folderOf(context, newest);
  if (!packs) return dir;
  await settleSavedGates(context, { repository: context.repository, branch: newest.branch, dir });
  const { plan, branches } = (await packHere(context)) ?? here;
  // The feature branch is that of the workers: it lands.
  await offer(context, await packOf(context, { ...newest, plan, branches }));
  return dir;
}

/** Names the pack as the run's newest work. */
async function offer(context: RunContext, pack: PlanPack): Promise<void> {
  await pointRefs(context.repository, [{ ref: planRef(context.run), commit: pack.id }]);
}

async function placedHere(context: RunContext): Promise<PlanPack | null> {
  return packAt(context, placedRef(context.run));
}

async function isPlanHere({ repository }: RunContext, { branch }: PlanPack): Promise<boolean> {
  const [dir, commit] = await Promise.all([
    planFolder(repository, branch),
    readRef(repository, headsPrefix + branch),
  ]);
  return dir !== null && commit !== null;
}

async function folderOf({ repository }: RunContext, { branch }: PlanPack): Promise<string> {
  return (await planFolder(repository, branch)) ?? "";
}

/** @throws no_plan */
export async function requirePack(context: RunContext): Promise<PlanPack> {
  const pack = await newestPack(context);
  if (pack === null) throw missing(context, "its plan is on the host where it was begun");
  return pack;
}

function missing({ run }: RunContext, why: string): AppError {
  return new AppError("no_plan", `run ${run} has no plan at the remote: ${why}`, {
    hint: `\`mettle resume ${run}\` in the checkout where it was begun pushes it`,
  });
}

function differs({ run }: RunContext, { branch }: PlanPack): AppError {
  return new AppError(
    "plan_differs",
    `the plan of ${branch} or a worktree of its prompts was changed here, and workers went on with run ${run} from another state`,
    {
      hint: `Keep your changes elsewhere, remove the plan's folder and the worktrees of its prompts, and call the same command again: it places what the workers have.`,
    },
  );
}
