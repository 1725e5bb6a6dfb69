/** `envoy git worktree`: creates the branch and the worktree of a prompt, or finds them. */
import { readFile, rmdir, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { stateHome } from "../../config/home.ts";
import { git } from "../../git/git.ts";
import { readRef, updateRef } from "../../git/refs.ts";
import { headsPrefix, resolveCommit, type Repository } from "../../git/repository.ts";
import { realFolder, registrations } from "../../git/worktree/worktree-folder.ts";
import { addWorktree, listWorktrees, removeWorktree, type Worktree } from "../../git/worktree/worktree.ts";
import { AppError } from "../../lib/errors.ts";
import { exists } from "../../lib/files.ts";
import { sha256 } from "../../lib/hash.ts";
import { readBranch } from "./branch-names.ts";
import { requireStarted } from "../prompt/change-prompt.ts";
import { withLock } from "../lock.ts";
import { branchNoteFile, type PlanLocation } from "../find-plan.ts";
import { readPrompt } from "../prompt/prompt.ts";
import type { PromptId } from "../prompt/prompt-id.ts";

/** Never moves an existing branch: returns its worktree, or checks it out again if the folder was deleted. */
export async function openWorktree(plan: PlanLocation, id: PromptId) {
  const { repository } = plan;
  const branch = requireStarted(await readPrompt(plan, id));
  // A checkout may take long, so it has a lock of its own.
  const lock = join(plan.dir, ".worktrees.lock");
  return withLock(
    lock,
    async () => {
      const existing = await worktreeOf(repository, branch);
      if (existing !== null) {
        if (!existing.isMain) await writeBranchNote(existing.path, branch);
        return { branch, path: existing.path, created: false };
      }
      const ref = headsPrefix + branch;
      const before = await readRef(repository, ref);
      const commit = before ?? (await resolveCommit(repository, headsPrefix + plan.branch));
      if (!(await updateRef(repository, { ref, from: before, to: commit }))) throw moved(branch);
      const place = placeOf(repository, branch);
      const path =
        (await reuseLeftover(repository, place)) ?? (await addWorktree(repository, { path: place, commit }));
      await writeBranchNote(path, branch);
      await git(at(repository, path), ["symbolic-ref", "HEAD", ref]);
      return { branch, path, created: before === null };
    },
    lockWaitMs,
  );
}

const lockWaitMs = 300_000;

/** Handles the leftovers of a killed call: reuses a complete checkout, removes an incomplete one. */
async function reuseLeftover(repository: Repository, place: string): Promise<string | null> {
  const path = await realFolder(place);
  const [registered] = await registrations(repository, path);
  const isThere = await exists(path);
  if (registered !== undefined && !registered.isUnfinished && isThere) return path;
  if (registered !== undefined) await removeWorktree(repository, path);
  else if (isThere) await rmdir(path).catch(() => {}); // not empty: `git worktree add` reports it
  return null;
}

/** The worktree of a branch, also during a rebase; null if there is none or its folder is gone. */
export async function worktreeOf(repository: Repository, branch: string): Promise<Worktree | null> {
  const all = (await listWorktrees(repository)).filter(({ prunable }) => !prunable);
  const onIt = all.find((worktree) => worktree.branch === branch);
  if (onIt !== undefined) return onIt;
  for (const worktree of all) {
    if (worktree.branch !== null || worktree.isMain) continue;
    const noted = await gitDirOf(worktree.path)
      .then((dir) => readFile(branchNoteFile(dir), "utf8"))
      .catch(() => ""); // no note, or another process is removing the worktree
    if (noted.trim() === branch) return worktree;
  }
  return null;
}

/** A folder of the state home that only `mettle clean --all` clears. */
export const worktreesFolder = "prompts";

/**
 * The parent folder of a branch's worktree, outside the repository and outside the folder that `mettle clean` clears. An agent can be
 * confined to it before the worktree exists.
 */
export function branchFolder(repository: Repository, branch: string): string {
  const { feature, prompt } = readBranch(branch);
  const name = feature.replaceAll(/[^A-Za-z0-9_-]/gu, "-").slice(0, 60);
  const own = sha256(branch).slice("sha256:".length, "sha256:".length + 8);
  const last =
    prompt === null ? "" : `-${prompt.number}${prompt.variant === null ? "" : `-${prompt.variant}`}`;
  return join(stateHome({ repository: repository.id }).root, worktreesFolder, `${name}${last}-${own}`);
}

/** The worktree has the name of its parent folder, because git names a worktree by the last part of its path. */
function placeOf(repository: Repository, branch: string): string {
  const folder = branchFolder(repository, branch);
  return join(folder, basename(folder));
}

async function writeBranchNote(path: string, branch: string): Promise<void> {
  await writeFile(branchNoteFile(await gitDirOf(path)), `${branch}\n`);
}

/** The git folder of a worktree, which its `.git` file names. */
async function gitDirOf(path: string): Promise<string> {
  const [, dir = ""] = /^gitdir: (.*)$/mu.exec(await readFile(join(path, ".git"), "utf8")) ?? [];
  return resolve(path, dir);
}

function at({ path }: Repository, cwd: string) {
  return { path, gitDir: null, cwd };
}

function moved(branch: string): AppError {
  return new AppError("worktree_failed", `the branch ${branch} was moved at the same time`, {
    hint: "call the same command again",
    retry: "safe",
  });
}
