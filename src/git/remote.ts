/** Talks to a remote repository with the user's settings and login. */
import { AppError } from "../lib/errors.ts";
import { text, tryGit, type GitAnswer } from "./git.ts";
import { headsPrefix, inStore, type Repository } from "./repository.ts";

/** The environment with the user's login. */
export type RemoteLogin = Readonly<Record<string, string>>;

export interface Remote {
  readonly name: string;
  /** The fetch URL, with the user's abbreviations expanded. */
  readonly url: string;
  readonly pushUrl: string;
  /** Name of the branch on the remote. */
  readonly branch: string;
}

/** The branch's upstream remote, else `origin`, else the only remote, else null. */
export async function remoteOf(
  repository: Repository,
  { branch, login }: { readonly branch: string; readonly login: RemoteLogin },
): Promise<Remote | null> {
  const ask = async (...args: readonly string[]) =>
    text((await gitWithLogin(repository, args, login)).stdout);
  const names = (await ask("remote")).split("\n").filter((name) => name !== "");
  const tracked = await ask("config", "--get", `branch.${branch}.remote`);
  const name =
    [tracked, "origin"].find((one) => names.includes(one)) ?? (names.length === 1 ? names[0] : null);
  if (name == null) return null;
  const merge = name === tracked ? await ask("config", "--get", `branch.${branch}.merge`) : "";
  return {
    name,
    url: await ask("remote", "get-url", name),
    pushUrl: await ask("remote", "get-url", "--push", name),
    branch: merge.startsWith(headsPrefix) ? merge.slice(headsPrefix.length) : branch,
  };
}

export interface Push {
  readonly remote: Pick<Remote, "name" | "pushUrl">;
  readonly login: RemoteLogin;
  /** Branch -> commit to push. */
  readonly branches: Readonly<Record<string, string>>;
  /** Commits that may be replaced on the remote because this run pushed them. */
  readonly own: ReadonlySet<string>;
}

/** Pushes only these branches, and fetches nothing. Returns null on success, else the reason of the failure. */
export async function push(repository: Repository, options: Push): Promise<string | null> {
  const { remote, login, branches, own } = options;
  const refs = Object.keys(branches).map((branch) => headsPrefix + branch);
  const listed = await gitWithLogin(repository, ["ls-remote", "--refs", remote.pushUrl, ...refs], login);
  if (listed.exitCode !== 0) return stderrText(listed);
  const there = new Map(
    text(listed.stdout)
      .split("\n")
      .map((line) => line.split("\t"))
      .map(([commit = "", ref = ""]) => [ref, commit]),
  );
  const moves = Object.entries(branches)
    .map(([branch, to]) => ({ ref: headsPrefix + branch, to, from: there.get(headsPrefix + branch) ?? "" }))
    .filter(({ to, from }) => to !== from);
  const foreign = moves.find(({ from }) => from !== "" && !own.has(from));
  if (foreign !== undefined)
    return `${foreign.ref} is at ${foreign.from} on ${remote.name}, which this run did not push`;
  if (moves.length === 0) return null;
  const args = [
    "push",
    "--quiet",
    "--no-verify",
    "--no-follow-tags",
    "--recurse-submodules=no",
    ...moves.map(({ ref, from }) => `--force-with-lease=${ref}:${from}`),
    // By URL, so that no remote-tracking ref is updated.
    remote.pushUrl,
    ...moves.map(({ ref, to }) => `${to}:${ref}`),
  ];
  const pushed = await gitWithLogin(repository, args, login);
  return pushed.exitCode === 0 ? null : stderrText(pushed);
}

/** Whether the remote to which is pushed lists its branches to this user. */
export async function answers(
  repository: Repository,
  { pushUrl }: Pick<Remote, "pushUrl">,
  login: RemoteLogin,
): Promise<boolean> {
  return (await gitWithLogin(repository, ["ls-remote", "--heads", pushUrl], login)).exitCode === 0;
}

const timeoutMs = 60_000;

async function gitWithLogin(
  repository: Repository,
  args: readonly string[],
  login: RemoteLogin,
): Promise<GitAnswer> {
  try {
    // A remote path is relative to the checkout.
    const place = { ...inStore(repository), cwd: repository.root };
    return await tryGit(place, args, { login, timeoutMs });
  } catch (error) {
    // E.g. a timeout: not a failure of the run.
    if (!(error instanceof AppError)) throw error;
    return { exitCode: -1, stdout: Buffer.alloc(0), stderr: error.message };
  }
}

function stderrText({ stderr, exitCode }: GitAnswer): string {
  const lines = stderr.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" ") || `git ended with exit code ${exitCode}`;
}
