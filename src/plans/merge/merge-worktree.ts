/**
 * `envoy git merge-worktree`: the prompt's branch becomes part of the feature branch. The merge is made outside of every
 * checkout, executed, and only then published, by one move of the feature branch.
 */
import { join } from "node:path";
import { commitTree } from "../../git/objects/commit.ts";
import { land, planLanding, type Refused } from "../../git/land.ts";
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
import { listPrompts, readPrompt, type Prompt } from "../prompt/prompt.ts";
import { idText, type PromptId } from "../prompt/prompt-id.ts";
import type { Work } from "../worktree/work.ts";
import { describeConflicts } from "./conflicts.ts";
import {
  recordVerification,
  unverified,
  type MergeToVerify,
  type Verification,
  type Verify,
} from "./verification.ts";
import { git, text, tryGit } from "../../git/git.ts";

export interface MergeOptions {
  readonly verify: Verify;
  readonly clock: Clock;
}

export async function mergeWorktree(plan: PlanLocation, id: PromptId, merging: MergeOptions) {
  const prompt = await readPrompt(plan, id);
  const known = await recordedMerge(plan, prompt);
  if (known !== null) return answer(prompt, known);
  const work = await requireMergeable(plan, prompt);
  for (let tries = 0; tries < maxAttempts; tries++) {
    const from = await resolveCommit(plan.repository, headsPrefix + plan.branch);
    const there = await findMerge(plan.repository, { feature: from, head: work.head });
    if (there !== null) {
      // Made by another hand: it is executed all the same before anybody calls it merged.
      const merge = { from: there.from, head: work.head, merged: there.commit };
      const verification = await verifyMerge(plan, id, { merge, verify: merging.verify });
      return record(plan, id, { commit: there.commit, verification, alreadyMerged: true });
    }
    const merged = await mergeCommit(plan, { prompt, from, head: work.head, clock: merging.clock });
    const landing = await withLandingLock(plan, () =>
      planLanding(plan.repository, {
        result: merged,
        branch: plan.branch,
        message: { subject: subjectOf(id), trailers: {} },
        dateMs: merging.clock.now(),
      }),
    );
    if (landing.type === "refused") {
      refuse(landing);
      continue;
    }
    if (landing.type === "landed_already" || landing.from !== from) continue;
    const verification = await verifyMerge(plan, id, {
      merge: { from, head: work.head, merged },
      verify: merging.verify,
    });
    const landed = await withLandingLock(plan, () => land(plan.repository, landing));
    if (landed.type === "landed")
      return record(plan, id, { commit: merged, verification, alreadyMerged: false });
    refuse(landed);
    await merging.clock.sleep(pauseMs * (tries + 1));
  }
  throw new AppError("branch_moved", `${plan.branch} is moved by others all the time`, {
    hint: "call the same command again",
    retry: "safe",
  });
}

/** While another merge brings the checkout along, its files look like somebody's changes. */
async function withLandingLock<T>({ dir }: PlanLocation, work: () => Promise<T>): Promise<T> {
  return withLock(join(dir, ".landing.lock"), work);
}

const maxAttempts = 5;
const pauseMs = 200;

interface MergeResult {
  readonly commit: string;
  readonly verification: Verification | null;
  /** It was there before this call. */
  readonly alreadyMerged: boolean;
}

/** A commit that is recorded and still holds all of the branch. */
async function recordedMerge(plan: PlanLocation, prompt: Prompt): Promise<MergeResult | null> {
  const { merge_commit_hash: commit, verification } = prompt.fields;
  if (commit === null || !(await readGitState(plan, prompt)).isMerged) return null;
  return { commit, verification, alreadyMerged: true };
}

/** What is to be merged, with every step before it done and every approval still good. */
async function requireMergeable(plan: PlanLocation, prompt: Prompt): Promise<Work> {
  const name = idText(prompt.id);
  const standing = await readGitState(plan, prompt);
  const all = await listPrompts(plan);
  const missing = missingSteps(prompt, { all, standing }).filter((step) => step !== "not_merged");
  const { work } = standing;
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
  }: { readonly prompt: Prompt; readonly from: string; readonly head: string; readonly clock: Clock },
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
      hint: `envoy git update-worktree ${idText(prompt.id).replace("_", " ")} (or git merge ${branch} in its worktree), resolve by what the commits say, commit, have it reviewed again, and call again`,
      detail: { conflicts: await describeConflicts(repository, { ours: from, theirs: head, paths }) },
    },
  );
}

/** Null where the project has no runner; anything else than a pass moves nothing. */
async function verifyMerge(
  plan: PlanLocation,
  id: PromptId,
  { merge, verify }: { readonly merge: MergeToVerify; readonly verify: Verify },
): Promise<Verification | null> {
  const shown = await verify(merge);
  if (shown === null) return null;
  const verification = await recordVerification(plan, shown);
  if (shown.verdict === "pass") return verification;
  const why = shown.reasons.join("; ");
  const detail = { verification, reasons: shown.reasons };
  if (shown.verdict === "inconclusive")
    throw new AppError("verification_inconclusive", `the merged tree could not be judged: ${why}`, {
      hint: `mettle show ${verification.record}; mend what it names and call again`,
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
    hint: `mettle show ${verification.record}; mend it, record another iteration, and have it reviewed`,
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

function answer({ id, fields }: Prompt, { commit, verification, alreadyMerged: isOld }: MergeResult) {
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

/** What another try does not mend. */
function refuse({ reason, branch, paths, why }: Refused): void {
  if (reason === "moved" || reason === "busy") return;
  throw new AppError("checkout_dirty", why, {
    hint: `commit or put aside these changes where ${branch} is checked out, then call again: ${paths.join(", ")}`,
    detail: { paths },
  });
}

function subjectOf(id: PromptId): string {
  return `Merge prompt ${idText(id)} implementation`;
}

/** Whether a branch is merged already, by whomever, and with which commit. */
interface ExistingMerge {
  readonly commit: string;
  /** The feature branch before it. */
  readonly from: string;
}

/** Null where the branch holds commits that the feature branch does not. */
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
  // Taken over without a commit of its own.
  const parent = await tryGit(inStore(repository), ["rev-parse", "--verify", "--quiet", `${head}^1`]);
  return { commit: head, from: parent.exitCode === 0 ? text(parent.stdout) : head };
}
