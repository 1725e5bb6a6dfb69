/** Takes a proven result over into the branch the run started from: fast-forward or merge, verified first. */
import { AppError } from "../lib/errors.ts";
import { land, landError, planLanding } from "../git/land.ts";
import { currentBranch } from "../git/repository.ts";
import { resultOf } from "../views/run-view.ts";
import type { OpenHost } from "./host.ts";
import { openRun } from "./open-run.ts";
import { verifyRun } from "./verify-run.ts";
import { verifyTree } from "./verify-tree.ts";
import type { RunContext } from "./context.ts";

export interface Landed {
  readonly branch: string;
  readonly commit: string;
}

export async function landRun(host: OpenHost, run: string): Promise<Landed> {
  const context = await openRun(host, { run });
  const { view } = context.session;
  const result = resultOf(view);
  if (view.ended?.outcome !== "complete" || result === null)
    throw new AppError("land_refused", `run ${run} is not proven`, { hint: `\`mettle status ${run}\`` });
  const verified = await verifyRun(context);
  if (verified.verdict !== "pass")
    throw new AppError("land_refused", `the evidence of run ${run} does not hold: ${verified.why}`, {
      hint: `\`mettle verify ${run}\``,
    });
  const branch = context.started.branch ?? (await currentBranch(host.repository));
  if (branch === null)
    throw new AppError(
      "land_refused",
      "the run started from a detached HEAD, so there is no branch to land on",
      {
        hint: `git merge mettle/${run}/result`,
      },
    );
  const commit = await moveOnto(context, { result, branch });
  await context.session.record([{ type: "landed", onto: branch, commit }]);
  return { branch, commit };
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

/** Evidence of the parents is none for the merge: its own tree is executed before anything moves (design 4). */
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
