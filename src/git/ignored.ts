import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readBlobs } from "./contents.ts";
import { fields, gitFailed, tryGit } from "./git.ts";
import type { Repository } from "./repository.ts";
import { listFiles, submoduleMode, symlinkMode } from "./tree.ts";

/** Says which of some untracked paths the ignore files of one commit ignore. Paths are latin1 strings, folders end in a slash. */
export type IgnoreRules = (paths: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * The rules are laid out in `dir` beside an empty git directory, so that no ignore file of the workspace, of the user,
 * or below `.git/info` is asked.
 */
export async function ignoreRulesOf(
  repository: Repository,
  rules: { commit: string; dir: string },
): Promise<IgnoreRules> {
  const files = (await listFiles(repository, rules.commit)).filter(
    ({ path, mode }) =>
      (path === ".gitignore" || path.endsWith("/.gitignore")) &&
      mode !== symlinkMode &&
      mode !== submoduleMode,
  );
  if (files.length === 0) return () => Promise.resolve(new Set());

  const gitDir = join(rules.dir, "git");
  const workTree = join(rules.dir, "tree");
  for (const folder of [join(gitDir, "objects"), join(gitDir, "refs"), workTree])
    await mkdir(folder, { recursive: true });
  await writeFile(join(gitDir, "HEAD"), "ref: refs/heads/none\n");
  const blobs = await readBlobs(
    repository,
    files.map(({ blob }) => blob),
  );
  for (const { path, blob } of files) {
    await mkdir(dirname(join(workTree, path)), { recursive: true });
    await writeFile(join(workTree, path), blobs.get(blob) ?? "");
  }

  const args = ["check-ignore", "--no-index", "--stdin", "-z"];
  return async (paths) => {
    if (paths.length === 0) return new Set();
    const input = Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");
    const answer = await tryGit({ path: repository.path, gitDir, cwd: workTree }, args, { workTree, input });
    if (answer.exitCode > 1) throw gitFailed(args, answer);
    return new Set(fields(answer.stdout, "latin1"));
  };
}
