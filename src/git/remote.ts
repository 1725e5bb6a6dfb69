/** A remote repository, spoken to with the user's own settings and login: how they push is theirs, not Mettle's. */
import { AppError } from "../lib/errors.ts";
import { text, tryGit, type GitAnswer } from "./git.ts";
import { headsPrefix, inStore, type Repository } from "./repository.ts";

/** The environment in which the user's login is found. */
export type Login = Readonly<Record<string, string>>;

export interface Remote {
  readonly name: string;
  /** As git would fetch from it, with the user's abbreviations written out. */
  readonly url: string;
  readonly pushUrl: string;
  /** What the branch is called there. */
  readonly branch: string;
}

/** Where a branch is pulled from, else `origin`, else the only remote there is; null where none of these is. */
export async function remoteOf(
  repository: Repository,
  { branch, login }: { readonly branch: string; readonly login: Login },
): Promise<Remote | null> {
  const ask = async (...args: readonly string[]) => text((await speak(repository, args, login)).stdout);
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
  readonly login: Login;
  /** Branch -> the commit that it is to stand at there. */
  readonly branches: Readonly<Record<string, string>>;
  /** Commits that may be replaced there, since they were pushed from here; anybody else's stay. */
  readonly own: ReadonlySet<string>;
}

/** Null when the branches stand there as wished, else why they do not. Nothing else is pushed, and nothing fetched. */
export async function push(repository: Repository, options: Push): Promise<string | null> {
  const { remote, login, branches, own } = options;
  const refs = Object.keys(branches).map((branch) => headsPrefix + branch);
  const listed = await speak(repository, ["ls-remote", "--refs", remote.pushUrl, ...refs], login);
  if (listed.exitCode !== 0) return said(listed);
  const there = new Map(
    text(listed.stdout)
      .split("\n")
      .map((line) => line.split("\t"))
      .map(([commit = "", ref = ""]) => [ref, commit]),
  );
  const moves = Object.entries(branches)
    .map(([branch, to]) => ({ ref: headsPrefix + branch, to, from: there.get(headsPrefix + branch) ?? "" }))
    .filter(({ to, from }) => to !== from);
  const strange = moves.find(({ from }) => from !== "" && !own.has(from));
  if (strange !== undefined)
    return `${strange.ref} stands at ${strange.from} on ${remote.name}, which this run did not push`;
  if (moves.length === 0) return null;
  const args = [
    "push",
    "--quiet",
    "--no-verify",
    "--no-follow-tags",
    "--recurse-submodules=no",
    ...moves.map(({ ref, from }) => `--force-with-lease=${ref}:${from}`),
    // By its address, so that no ref of the remote is noted here.
    remote.pushUrl,
    ...moves.map(({ ref, to }) => `${to}:${ref}`),
  ];
  const pushed = await speak(repository, args, login);
  return pushed.exitCode === 0 ? null : said(pushed);
}

const timeoutMs = 60_000;

async function speak(repository: Repository, args: readonly string[], login: Login): Promise<GitAnswer> {
  try {
    // A path that names a remote is relative to the checkout.
    const place = { ...inStore(repository), cwd: repository.root };
    return await tryGit(place, args, { login, timeoutMs });
  } catch (error) {
    // It took too long, say: no fault of the run's.
    if (!(error instanceof AppError)) throw error;
    return { exitCode: -1, stdout: Buffer.alloc(0), stderr: error.message };
  }
}

function said({ stderr, exitCode }: GitAnswer): string {
  const lines = stderr.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" ") || `git ended with exit code ${exitCode}`;
}
