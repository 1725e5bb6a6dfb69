/** Uncommitted changes where a branch is checked out, as git shows them to the user: without what their own rules ignore. */
import { fields, git } from "../git.ts";
import { checkoutOf, placeOf } from "../land.ts";
import { asUser, headCommit, statusOptions, statusPaths, type Repository } from "../repository.ts";

/** Paths that differ from the commit, or are new; empty where the branch is not checked out. */
export async function uncommittedOn(repository: Repository, branch: string): Promise<readonly string[]> {
  const checkout = await checkoutOf(repository, branch);
  return checkout === null ? [] : statusPaths(placeOf(repository, checkout), checkout);
}

export interface CheckoutStatus {
  /** Paths that differ from HEAD, or are new and not ignored. */
  readonly changed: readonly string[];
  /** Paths that a rule ignores; of a folder that is ignored as a whole the folder, without a slash at its end. */
  readonly ignored: readonly string[];
}

/** Of the checkout that the repository was opened from. */
export async function checkoutStatus(repository: Repository): Promise<CheckoutStatus> {
  const options = { workTree: repository.checkout };
  const args = ["status", "--porcelain=v1", "--ignored=matching", ...statusOptions];
  const entries = fields(await git(asUser(repository), args, options));
  const [ignored, changed] = [true, false].map((wanted) =>
    entries.filter((entry) => entry.startsWith("!!") === wanted).map((entry) => entry.slice(3)),
  );
  return { changed: changed ?? [], ignored: (ignored ?? []).map((path) => path.replace(/\/$/u, "")) };
}

export interface CheckoutHead {
  readonly commit: string;
  /** Without `refs/heads/`; null when HEAD is detached. */
  readonly branch: string | null;
  readonly isDirty: boolean;
}

/** `no_commit` before the first one. */
export async function checkoutHead(repository: Repository): Promise<CheckoutHead> {
  const args = ["status", "--porcelain=v2", "--branch", "--no-ahead-behind", ...statusOptions];
  const entries = fields(await git(asUser(repository), args, { workTree: repository.checkout }));
  const header = (name: string) =>
    entries.find((entry) => entry.startsWith(`# ${name} `))?.slice(name.length + 3) ?? "";
  const [commit, branch] = [header("branch.oid"), header("branch.head")];
  return {
    commit: commit === "(initial)" ? await headCommit(repository) : commit,
    branch: branch === "(detached)" ? null : branch,
    isDirty: entries.some((entry) => !entry.startsWith("# ")),
  };
}
