/**
 * `envoy git discard-worktree`: archives a discarded variant as `archive/<branch>`, including uncommitted changes, and removes its
 * worktree. Only ignored files are lost.
 */
import { commitTree } from "../../git/objects/commit.ts";
import { deleteRef, listRefs, readRef, updateRef } from "../../git/refs.ts";
import { headsPrefix } from "../../git/repository.ts";
import { treeOf } from "../../git/objects/tree.ts";
import { removeWorktree } from "../../git/worktree/worktree.ts";
import type { Clock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { join } from "node:path";
import { implementationBranch } from "./branch-names.ts";
import { changePrompt } from "../prompt/change-prompt.ts";
import { withLock } from "../lock.ts";
import type { PlanLocation } from "../find-plan.ts";
import { readPrompt, type PlanPrompt } from "../prompt/prompt.ts";
import { idText, type PromptId } from "../prompt/prompt-id.ts";
import { readWork, type WorktreeState } from "./work.ts";

export async function discardWorktree(plan: PlanLocation, id: PromptId, clock: Clock) {
  const prompt = await readPrompt(plan, id);
  if (prompt.fields.variant_solution !== "discard")
    throw new AppError(
      "variant_unresolved",
      `prompt ${idText(id)} is not discarded: ${prompt.fields.variant_solution ?? "not decided yet"}`,
      { hint: "a person decides at the gate: envoy plan block-prompt-variants-gate" },
    );
  const branch = prompt.fields.worktree_branch_name ?? implementationBranch(plan.branch, id);
  return withLock(
    join(plan.dir, ".worktrees.lock"),
    async () => {
      const work = await readWork(plan.repository, { feature: plan.branch, branch });
      if (work === null)
        return { archived_branch: await findArchive(plan, prompt, branch), worktree_removed: true };
      if (work.isMain)
        throw new AppError("checkout_dirty", `${branch} is checked out in the main checkout`, {
          hint: `git switch ${plan.branch} there, then call again`,
        });
      const archived = await archiveBranch(plan, { prompt, work, clock });
      if (work.path !== null) await removeWorktree(plan.repository, work.path);
      if (!(await deleteRef(plan.repository, { ref: headsPrefix + branch, from: work.head })))
        throw new AppError("branch_moved", `${branch} has a new commit`, {
          hint: "call the same command again",
          retry: "safe",
        });
      return { archived_branch: archived, worktree_removed: true };
    },
    lockWaitMs,
  );
}

const lockWaitMs = 300_000;

/** Archives the branch, with one more commit for uncommitted changes. */
async function archiveBranch(
  plan: PlanLocation,
  {
    prompt,
    work,
    clock,
  }: { readonly prompt: PlanPrompt; readonly work: WorktreeState; readonly clock: Clock },
): Promise<string> {
  const { repository } = plan;
  const known = prompt.fields.archived_branch;
  const kept = known === null ? null : await readRef(repository, headsPrefix + known);
  // An earlier call was killed after it had archived the branch.
  if (known !== null && kept !== null && (await treeOf(repository, kept)) === work.tree) return known;
  const commit = work.isCommitted
    ? work.head
    : await commitTree(repository, {
        tree: work.tree,
        parents: [work.head],
        subject: `Keep uncommitted changes of prompt ${idText(prompt.id)}`,
        trailers: {},
        dateMs: clock.now(),
      });
  for (let number = 1; ; number++) {
    const name = `archive/${work.branch}${number === 1 ? "" : `-${number}`}`;
    const ref = headsPrefix + name;
    if ((await readRef(repository, ref)) !== null) continue;
    if (!(await updateRef(repository, { ref, from: null, to: commit }))) continue;
    await changePrompt(plan, prompt.id, () => ({ fields: { archived_branch: name }, data: null }));
    return name;
  }
}

/** The archive that an earlier call, or an agent with git, has made. */
async function findArchive(plan: PlanLocation, { fields }: PlanPrompt, branch: string): Promise<string> {
  if (fields.archived_branch !== null) return fields.archived_branch;
  const refs = await listRefs(plan.repository, `${headsPrefix}archive/`);
  const name = `archive/${branch}`;
  const found = refs
    .map(({ ref }) => ref.slice(headsPrefix.length))
    .filter((one) => one === name || /^-[0-9]+$/u.test(one.slice(name.length)))
    .findLast((one) => one.startsWith(name));
  if (found !== undefined) return found;
  throw new AppError("not_found", `there is neither ${branch} nor ${name}`, {
    hint: "its commits may still be in the reflog: git reflog",
  });
}
