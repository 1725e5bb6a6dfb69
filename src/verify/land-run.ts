/** Verifies a result and lands it on the branch the run started from, by fast-forward or merge. */
import { resolve } from "node:path";
import { AppError } from "../lib/errors.ts";
import { excerptOf } from "../lib/text.ts";
import { land, landError, planLanding } from "../git/land.ts";
import { currentBranch } from "../git/repository.ts";
import { unsignedNote } from "../git/signing.ts";
import { uncommittedOn } from "../git/checkout/uncommitted.ts";
import { resultOf } from "../log/run-view.ts";
import { verifyRun } from "./verify-run.ts";
import { verifyTree } from "./verify-tree.ts";
import { assertRunsHere, isOfWorkers } from "../run/run-host.ts";
import type { RunContext } from "../run/context.ts";
import type { By } from "../log/by.ts";
import type { FamilyRun } from "../family/family.ts";

export interface LandedRun {
  /** Note for users who sign their commits; null for others. */
  readonly unsigned: string | null;
  readonly branch: string;
  readonly commit: string;
}

/** @param by who lands it */
export async function landRun(context: FamilyRun, by?: By): Promise<LandedRun> {
  const { run, repository } = context;
  const { view } = context.session;
  assertRunsHere(context);
  await context.session.assertMay("land");
  const isHanded = isOfWorkers(context) && view.ended?.outcome === "complete";
  const handover = isHanded ? context.family.handover : null;
  // What tells of the result comes with it.
  await handover?.place(context, { packs: false });
  const handed = await handover?.result(context);
  const result = handed?.commit ?? resultOf(view);
  if (view.ended?.outcome !== "complete" || result === null)
    throw new AppError("land_refused", `run ${run} is not proven`, { hint: `\`mettle status ${run}\`` });
  const verified = await verifyRun(context);
  if (verified.verdict !== "pass")
    throw new AppError("land_refused", `the evidence of run ${run} does not hold: ${verified.why}`, {
      hint: `\`mettle verify ${run}\``,
    });
  const branch = handed?.branch ?? (await branchToLand(context));
  const commit = await moveOnto(context, { result, branch });
  await context.session.record([
    { type: "landed", onto: branch, commit, ...(by === undefined ? {} : { by }) },
  ]);
  return { branch, commit, unsigned: await unsignedNote(repository, context.started.base) };
}

/** A graph may start from a detached HEAD, and its target branch must have no uncommitted changes (V3-65). */
async function branchToLand(context: FamilyRun): Promise<string> {
  const { repository, run, started, family } = context;
  const hint = `merge it by hand: git merge mettle/${run}/result`;
  const branch = started.branch ?? (family.landsClean ? null : await currentBranch(repository));
  if (branch === null) {
    const why = "the run started from a detached HEAD, so there is no branch to land on";
    throw new AppError("land_refused", why, { hint });
  }
  if (!family.landsClean) return branch;
  const uncommitted = (await uncommittedOn(repository, branch)).filter((path) => !isSpec(context, path));
  if (uncommitted.length === 0) return branch;
  const paths = excerptOf(uncommitted.join(", "), maxPathsLength);
  throw new AppError("land_refused", `${branch} is checked out with uncommitted changes: ${paths}`, {
    hint: `commit them or put them aside, then \`mettle land ${run}\``,
    detail: { paths: uncommitted },
  });
}

const maxPathsLength = 400;

/** The spec files are input, not part of the result. */
function isSpec({ session, started, repository }: RunContext, path: string): boolean {
  const amended = Object.values(session.view.nodes).map(({ specFile }) => specFile);
  return [started.specFile, ...amended].some(
    (file) => file !== undefined && resolve(repository.root, file.path) === resolve(repository.root, path),
  );
}

async function moveOnto(
  context: RunContext,
  { result, branch }: { result: string; branch: string },
): Promise<string> {
  const { repository, run, started, clock } = context;
  const message = {
    subject: `Merge the result of run ${run}: ${started.task}`,
    trailers: { "Mettle-Run": run },
  };
  const plan = await planLanding(repository, { result, branch, message, dateMs: clock.now() });
  if (plan.type === "refused") throw landError(plan);
  if (plan.type === "landed_already") return plan.commit;
  if (plan.how === "merge") await assertMergeProven(context, plan.to);
  const landed = await land(repository, plan);
  if (landed.type === "refused") throw landError(landed);
  return landed.commit;
}

/** Evidence of the parents does not prove the merge: its tree is tested before the branch moves. */
async function assertMergeProven(context: RunContext, commit: string): Promise<void> {
  const drafts = await verifyTree(context, commit);
  const last = drafts.at(-1);
  if (last?.verdict === "pass") return;
  throw new AppError(
    "land_refused",
    `the merged tree is not proven: ${last?.reasons.join("; ") ?? "no test ran"}`,
    {
      hint: "start a run on the branch as it is now",
    },
  );
}
