import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, resolve } from "node:path";
import { environment, userHome, type Env } from "../config/env.ts";
import { repositoryId } from "../config/repository-id.ts";
import { AppError } from "../lib/errors.ts";
import { fields, git, text, tryGit, type GitPlace } from "./git.ts";

/** A git repository, identical from its main checkout, its worktrees and through symlinks. */
export interface Repository {
  /** Top level of the main checkout. */
  readonly root: string;
  /** The common git directory. */
  readonly gitDir: string;
  /** `<name>-<8 hex>`. */
  readonly id: string;
  /** Top level of the checkout where it was opened: `root` or a worktree of the user. HEAD is that checkout's HEAD. */
  readonly checkout: string;
  readonly checkoutGitDir: string;
  /** The PATH on which git is found. */
  readonly path: string;
  /** The user's environment, with their git settings and filters. */
  readonly user: Env;
}

export interface RepositoryOptions {
  readonly path: string;
  /** Default: this process's environment. */
  readonly user?: Env;
  /** The user's `safe.directory` settings: repositories of other users that may be opened, `*` for all. */
  readonly safeDirectories?: readonly string[];
  /** Accepts a repository without commits, for `init`. */
  readonly mayBeEmpty?: boolean;
  /** Accepts a bare repository; its git directory then counts as its checkout. */
  readonly mayBeBare?: boolean;
  /** Skips the check of git's version, for commands that only read refs. */
  readonly anyVersion?: boolean;
}

export async function openRepository(dir: string, options: RepositoryOptions): Promise<Repository> {
  return (await openWithBranch(dir, options)).repository;
}

/** Opens the repository and reads the current branch (null with a detached HEAD) in one git call. */
export async function openWithBranch(
  dir: string,
  options: RepositoryOptions,
): Promise<{ readonly repository: Repository; readonly branch: string | null }> {
  const cwd = await realpath(dir).catch(() => null);
  if (cwd === null) throw notARepository(dir, "the folder does not exist");
  const place = { path: options.path, gitDir: null, cwd };
  const settings = (options.safeDirectories ?? []).map((safe) => `safe.directory=${safe}`);
  // Without a commit at HEAD only that part fails, after the paths are printed.
  const questions = [
    "--git-common-dir",
    "--git-dir",
    "--show-toplevel",
    headOfCommit,
    "--symbolic-full-name",
    "HEAD",
  ];
  // In parallel, because every command waits for these.
  const [parsed] = await Promise.all([
    tryGit(place, ["rev-parse", "--path-format=absolute", ...questions], { settings }),
    options.anyVersion === true ? undefined : requireVersion(place),
  ]);
  // In a bare repository git answers up to the top level.
  const isBare = options.mayBeBare === true && parsed.stderr.includes("must be run in a work tree");
  if (isBare) return openBare(cwd, options);
  const [commonDir, ownDir, top, _commit, ref = "", ...more] = text(parsed.stdout).split("\n");
  if (commonDir === undefined || ownDir === undefined || top === undefined) {
    if (parsed.stderr.includes("dubious ownership")) throw otherOwnerError(dir);
    throw notARepository(dir, lastLine(parsed.stderr));
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
  if (options.mayBeEmpty !== true && parsed.exitCode !== 0) await headCommit(repository);
  return { repository, branch: branchOf(ref) };
}

async function openBare(
  cwd: string,
  { path, user }: RepositoryOptions,
): Promise<{ readonly repository: Repository; readonly branch: null }> {
  const place = { path, gitDir: null, cwd };
  const found = await git(place, ["rev-parse", "--path-format=absolute", "--git-common-dir"]);
  const gitDir = await realpath(text(found));
  const repository = {
    root: gitDir,
    gitDir,
    id: repositoryId(gitDir, gitDir),
    checkout: gitDir,
    checkoutGitDir: gitDir,
    path,
    user: withoutRedirects(user ?? environment()),
  };
  return { repository, branch: null };
}

const headOfCommit = "HEAD^{commit}";

/** A command that makes a first commit. */
export const firstCommit = 'git commit --allow-empty -m "Start"';

/** The commit at HEAD. @throws no_commit before the first commit */
export async function headCommit(repository: Repository): Promise<string> {
  const answer = await tryGit(atCheckout(repository), ["rev-parse", "--verify", "--quiet", headOfCommit]);
  if (answer.exitCode === 0) return text(answer.stdout);
  const others = await branchesWithCommits(repository);
  if (others.length > 0) throw branchUnresolved(others, await currentBranch(repository));
  throw new AppError("no_commit", `${repository.checkout} has no commit yet`, {
    hint: `Make a first one: ${firstCommit}`,
  });
}

/** The current branch without `refs/heads/`; null with a detached HEAD. */
export async function currentBranch(repository: Repository): Promise<string | null> {
  const answer = await tryGit(atCheckout(repository), ["symbolic-ref", "--quiet", "HEAD"]);
  return answer.exitCode === 0 ? branchOf(text(answer.stdout)) : null;
}

function branchOf(ref: string): string | null {
  return ref.startsWith(headsPrefix) ? ref.slice(headsPrefix.length) : null;
}

/** The commit of a branch, by its name without `refs/heads/`. */
export async function branchCommit(repository: Repository, branch: string): Promise<string> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${headsPrefix}${branch}^{commit}`];
  const answer = await tryGit(inStore(repository), args);
  if (answer.exitCode === 0) return text(answer.stdout);
  const others = await branchesWithCommits(repository);
  throw new AppError("revision_unknown", `there is no branch ${JSON.stringify(branch)}`, {
    hint: others.length === 0 ? "`git branch` lists them" : `branches: ${others.slice(0, 10).join(", ")}`,
  });
}

/** Branches to suggest if HEAD's branch does not exist, the likeliest first. */
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

/** Files of the user's checkout that differ from HEAD, or are untracked and not ignored. */
export async function uncommittedPaths(repository: Repository): Promise<readonly string[]> {
  return statusPaths(asUser(repository), repository.checkout);
}

/** The commit of a branch, tag or abbreviated id. */
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

/** Whether `ancestor` is `of` or reachable from it. */
export async function isAncestor(
  repository: Repository,
  pair: { ancestor: string; of: string },
): Promise<boolean> {
  const answer = await tryGit(inStore(repository), ["merge-base", "--is-ancestor", pair.ancestor, pair.of]);
  if (answer.exitCode > 1)
    await Promise.all([resolveCommit(repository, pair.ancestor), resolveCommit(repository, pair.of)]);
  return answer.exitCode === 0;
}

/** The newest common ancestor; null if there is none or a name is unknown. */
export async function mergeBase(repository: Repository, one: string, other: string): Promise<string | null> {
  const answer = await tryGit(inStore(repository), ["merge-base", one, other]);
  return answer.exitCode === 0 ? text(answer.stdout) : null;
}

/** For calls that need objects and refs but no working tree. */
export function inStore(repository: Repository): GitPlace {
  return { path: repository.path, gitDir: repository.gitDir, cwd: repository.gitDir };
}

/** For calls about HEAD, the index and the files of the user's checkout. */
export function atCheckout(repository: Repository): GitPlace {
  return { path: repository.path, gitDir: repository.checkoutGitDir, cwd: repository.checkout };
}

/** For calls that must use the user's settings, ignore rules and filters. */
export function asUser(repository: Repository, place: GitPlace = atCheckout(repository)): GitPlace {
  return { ...place, user: repository.user };
}

/** Git variables for settings; other ones would redirect git to another repository, index or object store. */
const settingVariables = /^GIT_(CONFIG|ATTR_NOSYSTEM$)/;

function withoutRedirects(env: Env): Env {
  const kept = Object.entries(env).filter(
    ([name]) => !name.startsWith("GIT_") || settingVariables.test(name),
  );
  return { ...Object.fromEntries(kept), HOME: userHome(env) };
}

/** Reads the status of one working tree without changing its index. */
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

/** PATHs with a git of a sufficient version. */
const checkedPaths = new Set<string>();

async function requireVersion(place: GitPlace): Promise<void> {
  if (checkedPaths.has(place.path)) return;
  await gitVersion(place.path, place.cwd);
  checkedPaths.add(place.path);
}

/** The version of git on a PATH. @throws git_missing if git is missing or too old */
export async function gitVersion(path: string, cwd = "/"): Promise<string> {
  const output = text(await git({ path, gitDir: null, cwd }, ["--version"], { timeoutMs: 20_000 }));
  const [, major, minor] = /(\d+)\.(\d+)/.exec(output) ?? [];
  if (Number(major) < 2 || (Number(major) === 2 && Number(minor) < 38) || major === undefined) {
    throw new AppError("git_missing", `git 2.38 or newer is needed, found: ${output}`, {
      hint: "Update git.",
    });
  }
  return output.replace(/^git version /u, "");
}

function notARepository(dir: string, why: string): AppError {
  // Avoids repeating git's message.
  const more =
    why === "" || why.startsWith("fatal: not a git repository") ? "" : `: ${why.replace(/^fatal: /u, "")}`;
  return new AppError("not_a_repository", `${dir} is not in a git repository${more}`, {
    hint: 'Make one: git init && git add -A && git commit -m "Start"',
  });
}

/** The error's `detail` for a repository that belongs to another user. */
export const otherUsersRepository = "another user's";

/** Git suggests `safe.directory`, a user setting, which Mettle's git calls do not read. */
function otherOwnerError(dir: string): AppError {
  return new AppError("not_a_repository", `${dir} belongs to another user, so git does not open it`, {
    hint: `If it should be yours: sudo chown -R "$USER" '${dir.replaceAll("'", "'\\''")}'`,
    detail: otherUsersRepository,
  });
}

function lastLine(output: string): string {
  return output.trim().split("\n").at(-1) ?? "";
}
