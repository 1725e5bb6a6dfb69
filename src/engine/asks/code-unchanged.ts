/** Checks that the run's branch still points to the commit that was shown and proved (ORC-52, ORC-68). */
import { AppError } from "../../lib/errors.ts";
import { readRef } from "../../git/refs.ts";
import type { RunContext } from "../../run/context.ts";
import { workBranch } from "../../run/branches.ts";
import { verifyTree } from "../../verify/verify-tree.ts";

export async function assertBranchUnmoved(context: RunContext, key: string): Promise<void> {
  const { session, repository, run } = context;
  const { head, records } = session.view;
  const now = await readRef(repository, workBranch(run));
  const shown = head.branch ?? "";
  if (now !== null && now !== shown) {
    const drafts = await verifyTree(context, now);
    const message = `${workBranch(run)} was moved to ${now}; ${shown} was shown`;
    await session.prove(key, drafts, [{ type: "warned", code: "branch_moved", message }]);
    const last = drafts.at(-1);
    const failing = (last?.tests ?? []).filter(({ status }) => status === "failed").map(({ id }) => id);
    if (last?.verdict !== "pass") throw unproven(run, failing);
    throw new AppError("approval_stale", `${workBranch(run)} was moved after it was shown`, {
      hint: `move it back to ${shown}, or \`mettle reject ${run} --reason "…"\``,
    });
  }
  const newest = records.findLast(({ commit }) => commit !== null && commit === shown);
  if (newest && newest.exitCode !== 0) throw unproven(run, newest.failing);
}

function unproven(run: string, failing: readonly string[]): AppError {
  return new AppError(
    "approval_unproven",
    `the newest test run failed: ${failing.join(", ") || "no test passed"}`,
    {
      hint: `\`mettle reject ${run} --reason "…"\` sends it back`,
      detail: { failing },
    },
  );
}
