/** Uncommitted changes of a checkout as git shows them to the user, without files that their rules ignore. */
import { fields, git } from "../git.ts";
import { checkoutOf, checkoutPlace } from "../land.ts";
import { asUser, headCommit, statusOptions, statusPaths, type Repository } from "../repository.ts";

/** Paths that differ from the commit or are new; empty if the branch is not checked out. */
export async function uncommittedOn(repository: Repository, branch: string): Promise<readonly string[]> {
  const checkout = await checkoutOf(repository, branch);
  return checkout === null ? [] : statusPaths(checkoutPlace(repository, checkout), checkout);
}

export interface CheckoutStatus {
  /** Paths that differ from HEAD, or are new and not ignored. */
  readonly changed: readonly string[];
  /** Ignored paths; a fully ignored folder is listed once, without a trailing slash. */
  readonly ignored: readonly string[];
}

/** The status of the checkout where the repository was opened. */
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

/** @throws no_commit before the first commit */
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
