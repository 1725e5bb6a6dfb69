/** What is uncommitted where a branch is checked out, as git tells the user: what their own rules ignore is none of it. */
import { join } from "node:path";
import { fields, git, text, tryGit } from "./git.ts";
import { checkoutOf, placeOf } from "./land.ts";
import type { Login } from "./remote.ts";
import type { Repository } from "./repository.ts";

/** Paths that differ from the commit, or are new; empty where nobody has the branch checked out. */
export async function uncommittedOn(
  repository: Repository,
  { branch, login }: { readonly branch: string; readonly login: Login },
): Promise<readonly string[]> {
  const checkout = await checkoutOf(repository, branch);
  if (checkout === null) return [];
  const place = placeOf(repository, checkout);
  const named = await tryGit(place, ["config", "--global", "--get", "--path", "core.excludesFile"], {
    login,
  });
  const usual = join(login["XDG_CONFIG_HOME"] ?? join(login["HOME"] ?? "/", ".config"), "git", "ignore");
  const settings = [`core.excludesFile=${named.exitCode === 0 ? text(named.stdout) : usual}`];
  const args = ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all"];
  return fields(await git(place, args, { workTree: checkout, settings })).map((entry) => entry.slice(3));
}
