import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, resolve } from "node:path";
import { environment, userHome, type Env } from "../config/env.ts";
import { repositoryId } from "../config/repository-id.ts";
import { AppError } from "../lib/errors.ts";
import { fields, git, text, tryGit, type GitPlace } from "./git.ts";

/** A git repository as Mettle sees it: the same from its main checkout, from any of its worktrees and through symlinks. */
export interface Repository {
  /** Top level of the main checkout. */
  readonly root: string;
  /** The common git directory. */
  readonly gitDir: string;
  /** `<name>-<8 hex>`. */
  readonly id: string;
  /** Top level of the checkout it was opened from: `root`, or one of the user's own worktrees. Its HEAD is meant by HEAD. */
  readonly checkout: string;
  readonly checkoutGitDir: string;
  /** The PATH on which git is found. */
  readonly path: string;
  /** The user's environment, in which git finds their settings and filters. */
  readonly user: Env;
}

export interface OpenOptions {
  readonly path: string;
  /** Default: the environment of this process. */
  readonly user?: Env;
  /** The user's own `safe.directory` settings: repositories of other users that may be opened, `*` for all. */
  readonly safeDirectories?: readonly string[];
  /** Accept a repository without a commit, which only `init` can work with. */
  readonly mayBeEmpty?: boolean;
}

export async function openRepository(dir: string, options: OpenOptions): Promise<Repository> {
  return (await openWithBranch(dir, options)).repository;
}

/** The repository, and the branch that is checked out where it was opened (null when HEAD is detached), by one call of git. */
export async function openWithBranch(
  dir: string,
  options: OpenOptions,
): Promise<{ readonly repository: Repository; readonly branch: string | null }> {
  const cwd = await realpath(dir).catch(() => null);
  if (cwd === null) throw notARepository(dir, "the folder does not exist");
  const place = { path: options.path, gitDir: null, cwd };
  const settings = (options.safeDirectories ?? []).map((safe) => `safe.directory=${safe}`);
  // Where HEAD names no commit that alone fails, after the paths were printed.
  const questions = [
    "--git-common-dir",
    "--git-dir",
    "--show-toplevel",
    headOfCommit,
    "--symbolic-full-name",
    "HEAD",
  ];
  // At once, since every command waits for these.
  const [asked] = await Promise.all([
    tryGit(place, ["rev-parse", "--path-format=absolute", ...questions], { settings }),
    requireVersion(place),
  ]);
  const [commonDir, ownDir, top, _commit, ref = "", ...more] = text(asked.stdout).split("\n");
  if (commonDir === undefined || ownDir === undefined || top === undefined) {
    if (asked.stderr.includes("dubious ownership")) throw ofAnother(dir);
    throw notARepository(dir, lastLine(asked.stderr));
  }
  if (more.length > 0)
    throw new AppError("path_refused", "the path of the repository holds a line break", {
      hint: "Give its folder another name: git answers with one path on each line.",
    });
  const gitDir = await realpath(commonDir);
  const checkoutGitDir = await realpath(ownDir);
  const checkout = await realpath(top);
  const root = checkoutGitDir === gitDir ? checkout : await mainCheckout(gitDir, place);
  const repository = {
    root,
    gitDir,
    id: repositoryId(root, gitDir),
    checkout,
    checkoutGitDir,
    path: options.path,
    user: withoutRedirects(options.user ?? environment()),
  };
  if (options.mayBeEmpty !== true && asked.exitCode !== 0) await headCommit(repository);
  return { repository, branch: branchOf(ref) };
}

const headOfCommit = "HEAD^{commit}";

/** The command that makes a first commit. */
export const firstCommit = 'git commit --allow-empty -m "Start"';

/** The commit that HEAD names; `no_commit` before the first one. */
export async function headCommit(repository: Repository): Promise<string> {
  const answer = await tryGit(atCheckout(repository), ["rev-parse", "--verify", "--quiet", headOfCommit]);
  if (answer.exitCode === 0) return text(answer.stdout);
  const others = await branchesWithCommits(repository);
  if (others.length > 0) throw branchUnresolved(others, await currentBranch(repository));
  throw new AppError("no_commit", `${repository.checkout} has no commit yet`, {
    hint: `Make a first one: ${firstCommit}`,
  });
}

/** The branch that is checked out, without `refs/heads/`; null when HEAD is detached. */
export async function currentBranch(repository: Repository): Promise<string | null> {
  const answer = await tryGit(atCheckout(repository), ["symbolic-ref", "--quiet", "HEAD"]);
  return answer.exitCode === 0 ? branchOf(text(answer.stdout)) : null;
}

function branchOf(ref: string): string | null {
  return ref.startsWith(headsPrefix) ? ref.slice(headsPrefix.length) : null;
}

/** The commit of a branch of this repository, by its name without `refs/heads/`. */
export async function branchCommit(repository: Repository, branch: string): Promise<string> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${headsPrefix}${branch}^{commit}`];
  const answer = await tryGit(inStore(repository), args);
  if (answer.exitCode === 0) return text(answer.stdout);
  const others = await branchesWithCommits(repository);
  throw new AppError("revision_unknown", `there is no branch ${JSON.stringify(branch)}`, {
    hint: others.length === 0 ? "`git branch` lists them" : `branches: ${others.slice(0, 10).join(", ")}`,
  });
}

/** Branches that can be switched to, the likeliest first: where HEAD names none of them. */
async function branchesWithCommits(repository: Repository): Promise<readonly string[]> {
  const args = ["for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes"];
  const refs = text((await tryGit(atCheckout(repository), args)).stdout).split("\n");
  const names = refs
    .map((ref) => ref.replace(/^refs\/(heads|remotes\/[^/]+)\//u, ""))
    .filter((name) => name !== "" && name !== "HEAD" && !name.startsWith("mettle/"));
  const rank = (name: string) => (usualNames.includes(name) ? usualNames.indexOf(name) : usualNames.length);
  return [...new Set(names)].toSorted((a, b) => rank(a) - rank(b));
}

const usualNames = ["main", "master", "develop"];

function branchUnresolved(others: readonly string[], named: string | null): AppError {
  const what =
    named === null ? "HEAD names no commit" : `the branch ${named}, which HEAD names, does not exist`;
  return new AppError("branch_unresolved", `${what}, though the repository has others`, {
    hint: `git switch ${others[0] ?? "BRANCH"}`,
    detail: { branches: others },
  });
}

/** Files of the user's checkout that differ from HEAD or are untracked and not ignored. */
export async function uncommittedPaths(repository: Repository): Promise<readonly string[]> {
  return statusPaths(asUser(repository), repository.checkout);
}

/** The commit that a branch, tag or abbreviation names. */
export async function resolveCommit(repository: Repository, revision: string): Promise<string> {
  const answer = await tryGit(atCheckout(repository), [
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${revision}^{commit}`,
  ]);
  const commit = text(answer.stdout);
  if (answer.exitCode === 0 && /^[0-9a-f]{40,64}$/.test(commit)) return commit;
  throw new AppError(
    "revision_unknown",
    `no commit is named ${JSON.stringify(revision)} in ${repository.root}`,
    {
      hint: "List what exists with `git branch --all` or `git log --oneline`.",
    },
  );
}

/** Whether `ancestor` is reachable from `commit`, itself included. */
export async function isAncestor(
  repository: Repository,
  pair: { ancestor: string; of: string },
): Promise<boolean> {
  const answer = await tryGit(inStore(repository), ["merge-base", "--is-ancestor", pair.ancestor, pair.of]);
  if (answer.exitCode > 1)
    await Promise.all([resolveCommit(repository, pair.ancestor), resolveCommit(repository, pair.of)]);
  return answer.exitCode === 0;
}

/** The newest commit that two names have in common; null where there is none, or no such name. */
export async function mergeBase(repository: Repository, one: string, other: string): Promise<string | null> {
  const answer = await tryGit(inStore(repository), ["merge-base", one, other]);
  return answer.exitCode === 0 ? text(answer.stdout) : null;
}

/** For calls that need objects and refs, and no working tree. */
export function inStore(repository: Repository): GitPlace {
  return { path: repository.path, gitDir: repository.gitDir, cwd: repository.gitDir };
}

/** For calls about HEAD, the index and the files of the user's checkout. */
export function atCheckout(repository: Repository): GitPlace {
  return { path: repository.path, gitDir: repository.checkoutGitDir, cwd: repository.checkout };
}

/** For calls that must see a checkout as the user's own git does: with their settings, ignore rules and filters. */
export function asUser(repository: Repository, place: GitPlace = atCheckout(repository)): GitPlace {
  return { ...place, user: repository.user };
}

/** Variables of git that name settings; any other would lead git to another repository, index or object store. */
const namesSettings = /^GIT_(CONFIG|ATTR_NOSYSTEM$)/;

function withoutRedirects(env: Env): Env {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("GIT_") || namesSettings.test(name));
  return { ...Object.fromEntries(kept), HOME: userHome(env) };
}

/** Reads the status of one working tree and leaves its index as it is. */
export async function statusPaths(place: GitPlace, workTree: string): Promise<readonly string[]> {
  const args = ["status", "--porcelain=v1", ...statusOptions];
  return fields(await git(place, args, { workTree })).map((entry) => entry.slice(3));
}

export const statusOptions: readonly string[] = [
  "-z",
  "--no-renames",
  "--untracked-files=all",
  "--ignore-submodules=none",
];

export const headsPrefix = "refs/heads/";

async function mainCheckout(gitDir: string, place: GitPlace): Promise<string> {
  if (basename(gitDir) === ".git") return dirname(gitDir);
  const configured = await tryGit({ ...place, gitDir, cwd: gitDir }, ["config", "--local", "core.worktree"]);
  const path = text(configured.stdout);
  if (path === "") return gitDir;
  return realpath(isAbsolute(path) ? path : resolve(gitDir, path));
}

/** The PATHs on which a git of a good version was found. */
const checkedPaths = new Set<string>();

async function requireVersion(place: GitPlace): Promise<void> {
  if (checkedPaths.has(place.path)) return;
  await gitVersion(place.path, place.cwd);
  checkedPaths.add(place.path);
}

/** The version of the git on a PATH; `git_missing` where there is none, or one that is too old. */
export async function gitVersion(path: string, cwd = "/"): Promise<string> {
  const said = text(await git({ path, gitDir: null, cwd }, ["--version"], { timeoutMs: 20_000 }));
  const [, major, minor] = /(\d+)\.(\d+)/.exec(said) ?? [];
  if (Number(major) < 2 || (Number(major) === 2 && Number(minor) < 38) || major === undefined) {
    throw new AppError("git_missing", `git 2.38 or newer is needed, found: ${said}`, { hint: "Update git." });
  }
  return said.replace(/^git version /u, "");
}

function notARepository(dir: string, why: string): AppError {
  // Git says the same once more.
  const more =
    why === "" || why.startsWith("fatal: not a git repository") ? "" : `: ${why.replace(/^fatal: /u, "")}`;
  return new AppError("not_a_repository", `${dir} is not in a git repository${more}`, {
    hint: 'Make one: git init && git add -A && git commit -m "Start"',
  });
}

/** What `detail` is of a repository that git opens for its owner alone. */
export const ofAnotherUser = "another user's";

/** Git's advice is a setting of the user's own, which no git that Mettle starts reads. */
function ofAnother(dir: string): AppError {
  return new AppError("not_a_repository", `${dir} belongs to another user, so git does not open it`, {
    hint: `If it should be yours: sudo chown -R "$USER" '${dir.replaceAll("'", "'\\''")}'`,
    detail: ofAnotherUser,
  });
}

function lastLine(output: string): string {
  return output.trim().split("\n").at(-1) ?? "";
}
