import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readBlobs } from "./contents.ts";
import { fields, gitFailed, tryGit } from "./git.ts";
import type { Repository } from "./repository.ts";

/** A `.gitignore` of a commit. */
export interface IgnoreFile {
  readonly path: string;
  readonly blob: string;
}

/** Says which of some untracked paths the ignore files of one commit ignore. Paths are latin1 strings, folders end in a slash. */
export type IgnoreRules = (paths: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * The rules are laid out in `dir` beside an empty git directory, so that no ignore file of the workspace, of the user,
 * or below `.git/info` is asked. Nothing is laid out before there is something to ask.
 */
export function ignoreRules(
  repository: Repository,
  rules: { files: readonly IgnoreFile[]; dir: string },
): IgnoreRules {
  const gitDir = join(rules.dir, "git");
  const workTree = join(rules.dir, "tree");
  const args = ["check-ignore", "--no-index", "--stdin", "-z"];
  let laidOut: Promise<void> | null = null;
  return async (paths) => {
    if (paths.length === 0 || rules.files.length === 0) return new Set();
    laidOut ??= layOut(repository, { files: rules.files, gitDir, workTree });
    await laidOut;
    const input = Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");
    const answer = await tryGit({ path: repository.path, gitDir, cwd: workTree }, args, { workTree, input });
    if (answer.exitCode > 1) throw gitFailed(args, answer);
    return new Set(fields(answer.stdout, "latin1"));
  };
}

async function layOut(
  repository: Repository,
  { files, gitDir, workTree }: { files: readonly IgnoreFile[]; gitDir: string; workTree: string },
): Promise<void> {
  for (const folder of [join(gitDir, "objects"), join(gitDir, "refs")])
    await mkdir(folder, { recursive: true });
  await writeFile(join(gitDir, "HEAD"), "ref: refs/heads/none\n");
  const ids = files.map(({ blob }) => blob);
  const blobs = await readBlobs(repository, ids);
  for (const { path, blob } of files) {
    const file = Buffer.concat([Buffer.from(`${workTree}/`), Buffer.from(path, "latin1")]);
    await mkdir(file.subarray(0, file.lastIndexOf("/")), { recursive: true });
    await writeFile(file, blobs.get(blob) ?? "");
  }
}
