/** `envoy git commit`: all that the worktree of a prompt holds, for agents that cannot write `.git` themselves. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fields, git, text, tryGit, type GitPlace } from "../git/git.ts";
import { AppError } from "../lib/errors.ts";
import { refuseNotStarted } from "./change-prompt.ts";
import type { PlanPlace } from "./place.ts";
import { idText, type PromptId } from "./prompt-id.ts";
import { readPrompt } from "./prompt.ts";
import { worktreeOf } from "./worktree.ts";

export interface Committed {
  /** The branch's head, a new one or not. */
  readonly commit: string;
  /** What the commit changed; none where there was nothing to commit. */
  readonly files: readonly string[];
}

export async function commitPrompt(plan: PlanPlace, id: PromptId, message: string): Promise<Committed> {
  if (message.trim() === "")
    throw new AppError("usage", "a commit has a message", { hint: `--message "what was done"` });
  const branch = refuseNotStarted(await readPrompt(plan, id));
  const worktree = await worktreeOf(plan.repository, branch);
  if (worktree === null || worktree.isMain) throw noWorktree(id, worktree !== null);
  const place = { path: plan.repository.path, gitDir: null, cwd: worktree.path };
  await refuseMarkers(place);
  await git(place, ["add", "--all", "--", "."]);
  const before = await headOf(place);
  const isSame = (await tryGit(place, ["diff", "--cached", "--quiet", "HEAD"])).exitCode === 0;
  if (isSame && !(await isMerging(place))) return { commit: before, files: [] };
  await git(place, ["commit", "--quiet", "--no-verify", "--cleanup=whitespace", "-F", "-"], {
    input: message,
  });
  const commit = await headOf(place);
  const changed = await git(place, ["diff-tree", "-r", "-z", "--name-only", "--no-renames", before, commit]);
  return { commit, files: fields(changed) };
}

async function headOf(place: GitPlace): Promise<string> {
  return text(await git(place, ["rev-parse", "HEAD"]));
}

/** The end of a merge is a commit even where it changes nothing. */
async function isMerging(place: GitPlace): Promise<boolean> {
  return (await tryGit(place, ["rev-parse", "--quiet", "--verify", "MERGE_HEAD"])).exitCode === 0;
}

/** Adding a file says that its conflict is resolved. */
async function refuseMarkers(place: GitPlace): Promise<void> {
  const unmerged = fields(await git(place, ["diff", "--name-only", "-z", "--diff-filter=U"]));
  const open: string[] = [];
  for (const path of new Set(unmerged)) {
    const content = await readFile(join(place.cwd, path), "latin1").catch(() => "");
    if (/^(?:<{7}|>{7}) /mu.test(content)) open.push(path);
  }
  if (open.length > 0)
    throw new AppError("precondition_failed", `there are conflicts still: ${open.join(", ")}`, {
      hint: "resolve them in the worktree and call the same command again",
      detail: { missing: ["conflicts_resolved"], paths: open },
    });
}

function noWorktree(id: PromptId, isMain: boolean): AppError {
  const why = isMain ? "is checked out in the main checkout" : "has no worktree";
  return new AppError("worktree_failed", `the branch of prompt ${idText(id)} ${why}`, {
    hint: `${isMain ? "check out another branch there, then " : ""}envoy git worktree ${idText(id).replace("_", " ")}`,
  });
}
