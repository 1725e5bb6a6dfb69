/** `envoy git commit`: commits all files of a prompt's worktree, for agents that cannot write `.git`. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { withoutFilters } from "../../git/checkout/filters.ts";
import { fields, git, text, tryGit, type GitPlace } from "../../git/git.ts";
import { asUser, type Repository } from "../../git/repository.ts";
import { snapshot } from "../../git/objects/snapshot.ts";
import { AppError } from "../../lib/errors.ts";
import type { PlanLocation } from "../find-plan.ts";
import { openCheckout } from "../prompt/prompt-checkout.ts";
import type { PromptId } from "../prompt/prompt-id.ts";

export interface CommitResult {
  /** The head of the branch, new or unchanged. */
  readonly commit: string;
  /** The changed files; empty if there was nothing to commit. */
  readonly files: readonly string[];
}

export async function commitPrompt(plan: PlanLocation, id: PromptId, message: string): Promise<CommitResult> {
  if (message.trim() === "")
    throw new AppError("usage", "a commit needs a message", { hint: `--message "what was done"` });
  const checkout = await openCheckout(plan, id);
  const place = { path: checkout.path, gitDir: null, cwd: checkout.checkout };
  await refuseConflictMarkers(place);
  const before = await headOf(place);
  await stage(checkout, place, before);
  const isSame = (await tryGit(place, ["diff", "--cached", "--quiet", "HEAD"])).exitCode === 0;
  if (isSame && !(await isMerging(place))) return { commit: before, files: [] };
  const args = ["commit", "--quiet", "--no-verify", "--cleanup=whitespace", "-F", "-"];
  await git(place, args, { input: message, settings: await withoutFilters(checkout) });
  const commit = await headOf(place);
  const changed = await git(place, ["diff-tree", "-r", "-z", "--name-only", "--no-renames", before, commit]);
  return { commit, files: fields(changed) };
}

/** Like the user's own `git add --all`, but never stages the plain text of a file that a filter encrypts. */
async function stage(checkout: Repository, place: GitPlace, head: string): Promise<void> {
  const { tree, leftOut } = await snapshot(checkout, { workspace: checkout.checkout, base: head });
  if (leftOut.length > 0)
    throw new AppError(
      "precondition_failed",
      `these files cannot be committed: ${leftOut.map(({ path, why }) => `${path} (${why})`).join(", ")}`,
      {
        hint: "remove these files, or name them in .gitignore, and call the same command again",
        detail: { missing: ["committable_files"], paths: leftOut.map(({ path }) => path) },
      },
    );
  await git(place, ["read-tree", "--reset", tree]);
  // A file may be in its committed or in its filtered form; each refresh exits with 1 for files in the other form.
  const refresh = ["update-index", "-q", "--refresh"];
  await tryGit(place, refresh, { settings: await withoutFilters(checkout) });
  await tryGit(asUser(checkout), refresh);
}

export async function headOf(place: GitPlace): Promise<string> {
  return text(await git(place, ["rev-parse", "HEAD"]));
}

/** A merge ends with a commit even if it changes nothing. */
export async function isMerging(place: GitPlace): Promise<boolean> {
  return (await tryGit(place, ["rev-parse", "--quiet", "--verify", "MERGE_HEAD"])).exitCode === 0;
}

export async function unmergedPaths(place: GitPlace): Promise<readonly string[]> {
  return [...new Set(fields(await git(place, ["diff", "--name-only", "-z", "--diff-filter=U"])))];
}

/** Staging a file marks its conflict as resolved, so conflict markers must be gone. */
async function refuseConflictMarkers(place: GitPlace): Promise<void> {
  const open: string[] = [];
  for (const path of await unmergedPaths(place)) {
    const content = await readFile(join(place.cwd, path), "latin1").catch(() => "");
    if (/^(?:<{7}|>{7}) /mu.test(content)) open.push(path);
  }
  if (open.length > 0)
    throw new AppError("precondition_failed", `there are unresolved conflicts: ${open.join(", ")}`, {
      hint: "resolve them in the worktree and call the same command again",
      detail: { missing: ["conflicts_resolved"], paths: open },
    });
}
