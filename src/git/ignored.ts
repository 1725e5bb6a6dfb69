/** Which new files nobody commits: by the ignore files of a commit, and by the user's own rules (`core.excludesFile`, `info/exclude`). */
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readBlobs } from "./contents.ts";
import { fields, gitFailed, text, tryGit, type GitPlace } from "./git.ts";
import { lines, readable } from "./raw-paths.ts";
import { asUser, type Repository } from "./repository.ts";

/** A `.gitignore` of a commit. */
export interface IgnoreFile {
  readonly path: string;
  readonly blob: string;
}

export interface IgnoreRule {
  /** `src/.gitignore`, `.git/info/exclude`, or the user's own file by its whole path. */
  readonly file: string;
  readonly line: number;
  readonly pattern: string;
}

/** Paths are latin1 strings, folders end in a slash. */
export interface IgnoreRules {
  /** Those of some untracked paths that are ignored. */
  ignored(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** The line that ignores each, of those that are ignored. */
  rulesFor(paths: readonly string[]): Promise<ReadonlyMap<string, IgnoreRule>>;
}

/**
 * The rules of the commit are laid out in `dir` beside an empty git directory, so that no ignore file of the workspace is
 * asked. Nothing is laid out before there is something to ask.
 */
export function ignoreRules(
  repository: Repository,
  rules: { files: readonly IgnoreFile[]; dir: string },
): IgnoreRules {
  let laidOut: Promise<readonly string[]> | null = null;
  const ask = async (paths: readonly string[], options: readonly string[]) => {
    if (paths.length === 0) return [];
    const gitDir = join(rules.dir, "git");
    const workTree = join(rules.dir, "tree");
    laidOut ??= layOut(repository, { files: rules.files, gitDir, workTree });
    const settings = await laidOut;
    const place: GitPlace = asUser(repository, { path: repository.path, gitDir, cwd: workTree });
    const args = ["check-ignore", "--no-index", "--stdin", "-z", ...options];
    const answer = await tryGit(place, args, { workTree, settings, input: lines(paths) });
    if (answer.exitCode > 1) throw gitFailed(args, answer);
    return fields(answer.stdout, "latin1");
  };
  return {
    ignored: async (paths) => new Set(await ask(paths, [])),
    async rulesFor(paths) {
      const parts = await ask(paths, ["--verbose"]);
      const found = new Map<string, IgnoreRule>();
      for (let at = 0; at + 3 < parts.length; at += 4) {
        const [file = "", line = "", pattern = "", path = ""] = parts.slice(at, at + 4);
        // A rule that begins with `!` takes the path out again.
        if (file !== "" && !pattern.startsWith("!"))
          found.set(path, { file: nameOf(file, rules.dir), line: Number(line), pattern: readable(pattern) });
      }
      return found;
    },
  };
}

function nameOf(file: string, dir: string): string {
  const name = readable(file);
  return name.startsWith(`${dir}/`) ? ".git/info/exclude" : name;
}

/** Returns the settings under which the user's own file is asked, wherever their configuration names it. */
async function layOut(
  repository: Repository,
  { files, gitDir, workTree }: { files: readonly IgnoreFile[]; gitDir: string; workTree: string },
): Promise<readonly string[]> {
  for (const folder of [join(gitDir, "objects"), join(gitDir, "refs"), join(gitDir, "info"), workTree])
    await mkdir(folder, { recursive: true });
  await writeFile(join(gitDir, "HEAD"), "ref: refs/heads/none\n");
  await copyFile(join(repository.gitDir, "info", "exclude"), join(gitDir, "info", "exclude")).catch(() => {}); // most have none
  const ids = files.map(({ blob }) => blob);
  const blobs = await readBlobs(repository, ids);
  for (const { path, blob } of files) {
    const file = Buffer.concat([Buffer.from(`${workTree}/`), Buffer.from(path, "latin1")]);
    await mkdir(file.subarray(0, file.lastIndexOf("/")), { recursive: true });
    await writeFile(file, blobs.get(blob) ?? "");
  }
  const args = ["config", "--type=path", "--get", "core.excludesFile"];
  const named = await tryGit(asUser(repository), args);
  return named.exitCode === 0 ? [`core.excludesFile=${text(named.stdout)}`] : [];
}
