/** Ignore rules: the ignore files of a commit, plus the user's rules (`core.excludesFile`, `info/exclude`). */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readBlobs } from "../objects/contents.ts";
import { fields, gitFailed, tryGit, type GitPlace } from "../git.ts";
import { nulTerminated, displayPath } from "../objects/raw-paths.ts";
import { asUser, atCheckout, type Repository } from "../repository.ts";

/** A `.gitignore` of a commit. */
export interface IgnoreFile {
  readonly path: string;
  readonly blob: string;
}

export interface IgnoreRule {
  /** `src/.gitignore`, `.git/info/exclude`, or the absolute path of the user's file. */
  readonly file: string;
  readonly line: number;
  readonly pattern: string;
}

/** Paths are latin1 strings, folders end in a slash. */
export interface IgnoreRules {
  /** The ignored paths among untracked paths. */
  ignored(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** Ignored path -> the rule that ignores it. */
  rulesFor(paths: readonly string[]): Promise<ReadonlyMap<string, IgnoreRule>>;
}

/**
 * Writes the commit's ignore files into `dir` on first use, so that ignore files of the workspace do not apply. The user's
 * rules are those of their checkout.
 */
export function ignoreRules(
  repository: Repository,
  rules: { files: readonly IgnoreFile[]; dir: string },
): IgnoreRules {
  const workTree = join(rules.dir, "tree");
  let prepared: Promise<void> | null = null;
  const ask = async (paths: readonly string[], options: readonly string[]) => {
    if (paths.length === 0) return [];
    prepared ??= writeIgnoreFiles(repository, rules.files, workTree);
    await prepared;
    const place: GitPlace = asUser(repository, { ...atCheckout(repository), cwd: workTree });
    const args = ["check-ignore", "--no-index", "--stdin", "-z", ...options];
    const settings = ["core.ignoreCase=false"];
    const answer = await tryGit(place, args, { workTree, settings, input: nulTerminated(paths) });
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
        // A rule that starts with `!` includes the path again.
        if (file !== "" && !pattern.startsWith("!"))
          found.set(path, {
            file: nameOf(repository, file),
            line: Number(line),
            pattern: displayPath(pattern),
          });
      }
      return found;
    },
  };
}

function nameOf({ gitDir }: Repository, file: string): string {
  const name = displayPath(file);
  return name === join(gitDir, "info", "exclude") ? ".git/info/exclude" : name;
}

async function writeIgnoreFiles(
  repository: Repository,
  files: readonly IgnoreFile[],
  workTree: string,
): Promise<void> {
  await mkdir(workTree, { recursive: true });
  const blobs = await readBlobs(
    repository,
    files.map(({ blob }) => blob),
  );
  for (const { path, blob } of files) {
    const file = Buffer.concat([Buffer.from(`${workTree}/`), Buffer.from(path, "latin1")]);
    await mkdir(file.subarray(0, file.lastIndexOf("/")), { recursive: true });
    await writeFile(file, blobs.get(blob) ?? "");
  }
}
