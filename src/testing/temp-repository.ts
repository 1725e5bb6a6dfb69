import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { variable } from "../config/env.ts";
import { canonicalJson, sha256 } from "../lib/hash.ts";
import { run } from "../process/run.ts";
import { fillGitFolder } from "./repository-template.ts";

/** A real git repository in a temporary folder, independent of the user's configuration. */
export interface TempRepository {
  readonly dir: string;
  /** Writes files below the repository; null deletes one. */
  write(files: Readonly<Record<string, string | Buffer | null>>): Promise<void>;
  /** Commits all files and returns the commit. */
  commit(message?: string): Promise<string>;
  /** Runs git in the repository and returns its stdout without the last line break. @throws Error if git fails */
  git(...args: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

export interface TempRepositoryOptions {
  readonly files?: Readonly<Record<string, string | Buffer>>;
  /** Message of the first commit; false makes no commit. Default "Start". */
  readonly commit?: string | false;
  /** The PATH for git; default this process's. */
  readonly path?: string;
}

export async function createRepository(options: TempRepositoryOptions = {}): Promise<TempRepository> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "mettle-repository-")));
  const env = { ...environment, PATH: options.path ?? variable("PATH") ?? "" };

  const git = async (...args: readonly string[]): Promise<string> => {
    const ran = await run("git", args, { cwd: dir, env, timeoutMs: 60_000, trusted: true });
    if (ran.exitCode !== 0)
      throw new Error(`git ${args.join(" ")}: ${ran.failedToStart ?? ran.stderr.toString()}`);
    return ran.stdout.toString().replace(/\n$/, "");
  };
  const write: TempRepository["write"] = async (files) => {
    for (const [path, content] of Object.entries(files)) {
      const file = join(dir, path);
      await mkdir(dirname(file), { recursive: true });
      await (content === null ? rm(file, { recursive: true, force: true }) : writeFile(file, content));
    }
  };
  const commitAll = async (message: string): Promise<void> => {
    await git("add", "--all");
    await git("commit", "--quiet", "--allow-empty", "-m", message);
  };
  const commit = async (message = "Change"): Promise<string> => {
    await commitAll(message);
    return git("rev-parse", "HEAD");
  };

  const { files = {}, commit: message = "Start" } = options;
  const init = () =>
    fillGitFolder(dir, `init ${env.PATH}`, () =>
      git("init", "--quiet", "--initial-branch=main", "--template="),
    );
  await write(files);
  if (message === false) await init();
  else {
    const make = async () => {
      await init();
      await commitAll(message);
    };
    const isCopied = await fillGitFolder(dir, keyOf(files, message, env.PATH), make);
    if (isCopied) await git("update-index", "-q", "--refresh");
  }
  return { dir, write, commit, git, remove: () => rm(dir, { recursive: true, force: true, maxRetries: 3 }) };
}

function keyOf(files: Readonly<Record<string, string | Buffer>>, message: string, path: string): string {
  const contents = Object.entries(files).map(([name, content]) => [name, sha256(content)]);
  return canonicalJson({ message, path, contents });
}

const environment = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  // Commits start no maintenance process.
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "maintenance.auto",
  GIT_CONFIG_VALUE_0: "false",
  GIT_AUTHOR_NAME: "Person",
  GIT_AUTHOR_EMAIL: "person@localhost",
  GIT_COMMITTER_NAME: "Person",
  GIT_COMMITTER_EMAIL: "person@localhost",
  LC_ALL: "C",
};
