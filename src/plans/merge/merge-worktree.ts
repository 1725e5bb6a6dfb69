/**
 * `envoy git merge-worktree`: merges the prompt's branch into the feature branch. The merge commit is created outside of every
 * checkout and tested; only then the feature branch moves to it.
 */
import { join } from "node:path";
import { commitTree } from "../../git/objects/commit.ts";
import { land, planLanding, type LandRefusal } from "../../git/land.ts";
import { mergeTrees } from "../../git/merge.ts";
import { headsPrefix, resolveCommit, inStore, isAncestor, type Repository } from "../../git/repository.ts";
import type { Clock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { lapsedApprovals } from "../approvals.ts";
import { changePrompt } from "../prompt/change-prompt.ts";
import { judgePrompt } from "../judge.ts";
import { missingSteps, readGitState } from "../prompt/missing-steps.ts";
import { withLock } from "../lock.ts";
import type { PlanLocation } from "../find-plan.ts";
import { listPrompts, readPrompt, type PlanPrompt } from "../prompt/prompt.ts";
import { idText, type PromptId } from "../prompt/prompt-id.ts";
import type { WorktreeState } from "../worktree/work.ts";
import { describeConflicts } from "./conflicts.ts";
import {
  recordVerification,
  unverified,
  type MergeToVerify,
  type MergeVerification,
  type Verify,
} from "./verification.ts";
import { git, text, tryGit } from "../../git/git.ts";

export interface MergeOptions {
  readonly verify: Verify;
  readonly clock: Clock;
}

export async function mergeWorktree(plan: PlanLocation, id: PromptId, options: MergeOptions) {
  const prompt = await readPrompt(plan, id);
  const known = await recordedMerge(plan, prompt);
  if (known !== null) return answer(prompt, known);
  const work = await requireMergeable(plan, prompt);
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const from = await resolveCommit(plan.repository, headsPrefix + plan.branch);
    const existing = await findMerge(plan.repository, { feature: from, head: work.head });
    if (existing !== null) {
      // Somebody else has merged it: it is tested before it counts as merged.
      const merge = { from: existing.from, head: work.head, merged: existing.commit };
      const verification = await verifyMerge(plan, id, { merge, verify: options.verify });
      return record(plan, id, { commit: existing.commit, verification, alreadyMerged: true });
    }
    const merged = await mergeCommit(plan, { prompt, from, head: work.head, clock: options.clock });
    const landing = await withLandingLock(plan, () =>
      planLanding(plan.repository, {
        result: merged,
        branch: plan.branch,
        message: { subject: subjectOf(id), trailers: {} },
        dateMs: options.clock.now(),
      }),
    );
    if (landing.type === "refused") {
      throwUnlessTransient(landing);
      continue;
    }
    if (landing.type === "landed_already" || landing.from !== from) continue;
    const verification = await verifyMerge(plan, id, {
      merge: { from, head: work.head, merged },
      verify: options.verify,
    });
    const landed = await withLandingLock(plan, () => land(plan.repository, landing));
    if (landed.type === "landed")
      return record(plan, id, { commit: merged, verification, alreadyMerged: false });
    throwUnlessTransient(landed);
    await options.clock.sleep(pauseMs * (attempt + 1));
  }
  throw new AppError("branch_moved", `${plan.branch} moved during each of ${maxAttempts} attempts`, {
    hint: "call the same command again",
    retry: "safe",
  });
}

/** Serialized, because a checkout that another merge is updating looks as if it had uncommitted changes. */
async function withLandingLock<T>({ dir }: PlanLocation, work: () => Promise<T>): Promise<T> {
  return withLock(join(dir, ".landing.lock"), work);
}

const maxAttempts = 5;
const pauseMs = 200;

interface MergeResult {
  readonly commit: string;
  readonly verification: MergeVerification | null;
  /** Whether the merge existed before this call. */
  readonly alreadyMerged: boolean;
}

/** The recorded merge, if the feature branch still contains it and the whole branch. */
async function recordedMerge(plan: PlanLocation, prompt: PlanPrompt): Promise<MergeResult | null> {
  const { merge_commit_hash: commit, verification } = prompt.fields;
  if (commit === null || !(await readGitState(plan, prompt)).isMerged) return null;
  return { commit, verification, alreadyMerged: true };
}

/** The work to merge. Throws if a step before the merge is missing or an approval has lapsed. */
async function requireMergeable(plan: PlanLocation, prompt: PlanPrompt): Promise<WorktreeState> {
  const name = idText(prompt.id);
  const state = await readGitState(plan, prompt);
  const all = await listPrompts(plan);
  const missing = missingSteps(prompt, { all, state }).filter((step) => step !== "not_merged");
  const { work } = state;
  if (missing.length > 0 || work === null) {
    const open = missing.length > 0 ? missing : ["not_started"];
    throw new AppError("precondition_failed", `prompt ${name} lacks: ${open.join(", ")}`, {
      hint: "do these steps of the protocol first",
      detail: { missing: open },
    });
  }
  const lapsed = await lapsedApprovals(plan.repository, prompt, work.tree);
  if (lapsed.length === 0) return work;
  const words = name.replace("_", " ");
  const again = lapsed.map((source) =>
    source === "review" ? `envoy gemini review ${words}` : `envoy plan block-prompt-testing-gate ${words}`,
  );
  throw new AppError("approval_lapsed", `the work on ${name} changed after its ${lapsed.join(" and ")}`, {
    hint: `repeat: ${again.join(", then ")}`,
    detail: { lapsed, repeat: again },
  });
}

async function mergeCommit(
  { repository, branch }: PlanLocation,
  {
    prompt,
    from,
    head,
    clock,
  }: { readonly prompt: PlanPrompt; readonly from: string; readonly head: string; readonly clock: Clock },
): Promise<string> {
  const merged = await mergeTrees(repository, { ours: from, theirs: head });
  if (merged.type === "clean")
    return commitTree(repository, {
      tree: merged.tree,
      parents: [from, head],
      subject: subjectOf(prompt.id),
      trailers: {},
      dateMs: clock.now(),
    });
  const { paths } = merged;
  throw new AppError(
    "merge_conflict",
    `prompt ${idText(prompt.id)} and ${branch} both changed ${paths.join(", ")}`,
    {
      hint: `envoy git update-worktree ${idText(prompt.id).replace("_", " ")} (or git merge ${branch} in its worktree), resolve by the intent of the commits, commit, have it reviewed again, and call again`,
      detail: { conflicts: await describeConflicts(repository, { ours: from, theirs: head, paths }) },
    },
  );
}

/** Null if the project has no test runner. Throws unless the tests pass. */
async function verifyMerge(
  plan: PlanLocation,
  id: PromptId,
  { merge, verify }: { readonly merge: MergeToVerify; readonly verify: Verify },
): Promise<MergeVerification | null> {
  const result = await verify(merge);
  if (result === null) return null;
  const verification = await recordVerification(plan, result);
  if (result.verdict === "pass") return verification;
  const why = result.reasons.join("; ");
  const detail = { verification, reasons: result.reasons };
  if (result.verdict === "inconclusive")
    throw new AppError("verification_inconclusive", `the merged tree could not be judged: ${why}`, {
      hint: `mettle show ${verification.record}; fix the named cause and call again`,
      retry: "safe",
      detail,
    });
  await judgePrompt(plan, id, {
    source: "testing",
    passed: false,
    text: `The tests fail on the merged tree: ${why}`,
    tree: null,
  });
  throw new AppError("verification_failed", `the tests fail on the merged tree: ${why}`, {
    hint: `mettle show ${verification.record}; fix it, record another iteration, and have it reviewed`,
    detail,
  });
}

async function record(
  plan: PlanLocation,
  id: PromptId,
  { commit, verification, alreadyMerged: isOld }: MergeResult,
) {
  return changePrompt(plan, id, (prompt) => ({
    fields: { merge_commit_hash: commit, verification },
    data: answer(prompt, { commit, verification, alreadyMerged: isOld }),
  }));
}

function answer({ id, fields }: PlanPrompt, { commit, verification, alreadyMerged: isOld }: MergeResult) {
  return {
    prompt_id: idText(id),
    worktree_branch: fields.worktree_branch_name ?? "",
    merge_commit_hash: commit,
    status: fields.status,
    already_merged: isOld,
    verification,
    ...(verification === null && { note: unverified }),
  };
}

/** Throws for a refusal that another attempt cannot resolve. */
function throwUnlessTransient({ reason, branch, paths, why }: LandRefusal): void {
  if (reason === "moved" || reason === "busy") return;
  throw new AppError("checkout_dirty", why, {
    hint: `commit or stash these changes where ${branch} is checked out, then call again: ${paths.join(", ")}`,
    detail: { paths },
  });
}

function subjectOf(id: PromptId): string {
  return `Merge prompt ${idText(id)} implementation`;
}

/** A merge of the branch that the feature branch already contains. */
interface ExistingMerge {
  readonly commit: string;
  /** The feature branch before the merge. */
  readonly from: string;
}

/** Null if the branch has commits that the feature branch lacks. */
async function findMerge(
  repository: Repository,
  { feature, head }: { readonly feature: string; readonly head: string },
): Promise<ExistingMerge | null> {
  if (!(await isAncestor(repository, { ancestor: head, of: feature }))) return null;
  const args = ["rev-list", "--merges", "--reverse", "--parents", `${head}..${feature}`];
  const lines = text(await git(inStore(repository), args)).split("\n");
  for (const line of lines) {
    const [commit = "", from = "", ...others] = line.split(" ");
    if (others.includes(head)) return { commit, from };
  }
  // Merged by fast-forward, without a merge commit.
  const parent = await tryGit(inStore(repository), ["rev-parse", "--verify", "--quiet", `${head}^1`]);
  return { commit: head, from: parent.exitCode === 0 ? text(parent.stdout) : head };
}
