import { AppError } from "../lib/errors.ts";
import { run, type RunResult } from "../process/run.ts";
import { watchForPipes } from "./checkout/pipe-watch.ts";

/** Where and how git runs: by default without the user's environment, hooks, signing, templates and global settings. */
export interface GitPlace {
  /** The PATH on which git is found. */
  readonly path: string;
  /** The git directory; null lets git search from `cwd`. */
  readonly gitDir: string | null;
  readonly cwd: string;
  /**
   * The user's environment, for calls on their checkout: their settings, ignore rules, attributes, line endings and filters
   * apply. Hooks, signing and background work stay off. Absent: nothing of the user's applies.
   */
  readonly user?: Readonly<Record<string, string>>;
}

export interface GitOptions {
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** Settings for this call, `name=value`. */
  readonly settings?: readonly string[];
  readonly workTree?: string;
  readonly timeoutMs?: number;
  /** For a remote: the environment with the user's settings and login. Their hooks stay off. */
  readonly login?: Readonly<Record<string, string>>;
}

export interface GitAnswer {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs git and returns its stdout. @throws git_failed for an exit code other than 0 */
export async function git(
  place: GitPlace,
  args: readonly string[],
  options: GitOptions = {},
): Promise<Buffer> {
  const answer = await tryGit(place, args, options);
  if (answer.exitCode !== 0) throw gitFailed(args, answer);
  return answer.stdout;
}

/** Runs git and returns its exit code as well. */
export async function tryGit(
  place: GitPlace,
  args: readonly string[],
  options: GitOptions = {},
): Promise<GitAnswer> {
  const { argv, env } = gitCommand(place, args, options);
  const pipes = watchForPipes({
    workTree: options.workTree ?? place.cwd,
    gitDir: place.gitDir,
    home: place.user?.["HOME"],
  });
  const ran = await run("git", argv, {
    cwd: place.cwd,
    env,
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    keepBytes: maxOutputBytes,
    trusted: true,
    signal: pipes.signal,
    ...(options.input !== undefined && { input: options.input }),
  }).finally(pipes.stop);
  const pipe = pipes.found();
  if (pipe !== null) throw blockedByPipe(args, pipe);
  return toAnswer(args, ran);
}

/** The arguments and environment of a git process. */
export function gitCommand(place: GitPlace, args: readonly string[], options: GitOptions = {}) {
  const argv = [
    "--no-replace-objects",
    ...(place.gitDir === null ? [] : [`--git-dir=${place.gitDir}`]),
    ...(options.workTree === undefined ? [] : [`--work-tree=${options.workTree}`]),
    ...[
      ...fixedSettings,
      ...(place.user === undefined ? neutralSettings : []),
      ...(options.settings ?? []),
    ].flatMap((setting) => ["-c", setting]),
    ...args,
  ];
  return { argv, env: { ...envOf(place, options), PATH: place.path, ...options.env } };
}

export function gitFailed(args: readonly string[], answer: GitAnswer): AppError {
  const why = answer.stderr.trim().split("\n").at(-1) ?? "";
  const reason = why === "" ? "" : `: ${why}`;
  return new AppError(
    "git_failed",
    `git ${args[0] ?? ""} failed with exit code ${answer.exitCode}${reason}`,
    {
      hint: "Mend what git complains of and try again; with --json the detail holds the arguments and all that git said.",
      retry: "safe",
      detail: { args, stderr: answer.stderr },
    },
  );
}

export function blockedByPipe(args: readonly string[], pipe: string): AppError {
  return new AppError("git_failed", `git ${args[0] ?? ""} waits without end at ${pipe}, which is a pipe`, {
    hint: "Remove it, or put a plain file in its place, and try again.",
    retry: "safe",
    detail: { args, pipe },
  });
}

export function gitMissing(why: string): AppError {
  return new AppError("git_missing", `git could not be started: ${why}`, {
    hint: "Install git 2.38 or newer and make sure that it is on PATH.",
  });
}

/** The output without its trailing line break. */
export function text(output: Buffer): string {
  return output.toString("utf8").replace(/\n$/, "");
}

/** Splits output of `-z` commands. */
export function fields(output: Buffer, encoding: "utf8" | "latin1" = "utf8"): string[] {
  const all = output.toString(encoding);
  return all === "" ? [] : (all.endsWith("\0") ? all.slice(0, -1) : all).split("\0");
}

export const defaultTimeoutMs = 300_000;
const maxOutputBytes = 1024 * 1024 * 1024;

function envOf({ user }: GitPlace, { login }: GitOptions): Readonly<Record<string, string>> {
  if (user !== undefined) return { ...user, ...fixedEnv };
  return { ...fixedEnv, GIT_ATTR_NOSYSTEM: "1", ...(login ?? noSettings) };
}

const noSettings = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };

const fixedEnv = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_AUTHOR_NAME: "Mettle",
  GIT_AUTHOR_EMAIL: "mettle@localhost",
  GIT_COMMITTER_NAME: "Mettle",
  GIT_COMMITTER_EMAIL: "mettle@localhost",
  LC_ALL: "C",
  TZ: "UTC",
};

const fixedSettings = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.untrackedCache=false",
  "core.splitIndex=false",
  "core.filesRefLockTimeout=5000",
  "core.packedRefsTimeout=5000",
  "commit.gpgsign=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "init.templateDir=",
  "submodule.recurse=false",
  "log.showSignature=false",
  "i18n.commitEncoding=utf-8",
];

const neutralSettings = [
  "core.autocrlf=false",
  "core.excludesFile=/dev/null",
  "core.attributesFile=/dev/null",
];

function toAnswer(args: readonly string[], ran: RunResult): GitAnswer {
  if (ran.failedToStart !== null) throw gitMissing(ran.failedToStart);
  const answer = { exitCode: ran.exitCode ?? -1, stdout: ran.stdout, stderr: ran.stderr.toString("utf8") };
  if (ran.timedOut || ran.exitCode === null) {
    const why = ran.timedOut ? "took too long and was stopped" : `was ended by ${ran.signal ?? "a signal"}`;
    throw gitFailed(args, { ...answer, stderr: `it ${why}` });
  }
  if (ran.stdoutBytes > ran.stdout.length)
    throw gitFailed(args, { ...answer, stderr: "its output is too large" });
  return answer;
}
