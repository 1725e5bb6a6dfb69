/** Lists the commits of both sides that changed the files in conflict, to resolve the conflict by intent. */
import { fields, git } from "../../git/git.ts";
import { inStore, mergeBase, type Repository } from "../../git/repository.ts";

export interface Conflict {
  readonly path: string;
  /** Commits of the feature branch since the merge base, newest first. */
  readonly ours_commits: readonly CommitSummary[];
  readonly theirs_commits: readonly CommitSummary[];
}

interface CommitSummary {
  readonly hash: string;
  readonly message: string;
}

export async function describeConflicts(
  repository: Repository,
  {
    ours,
    theirs,
    paths,
  }: { readonly ours: string; readonly theirs: string; readonly paths: readonly string[] },
): Promise<readonly Conflict[]> {
  const base = await mergeBase(repository, ours, theirs);
  const since = base === null ? [] : [`^${base}`];
  const commits = async (tip: string, path: string): Promise<readonly CommitSummary[]> => {
    const args = [
      "log",
      "-z",
      "--no-merges",
      "--max-count=20",
      "--format=%H%n%B",
      tip,
      ...since,
      "--",
      `:(literal)${path}`,
    ];
    return fields(await git(inStore(repository), args)).map((entry) => {
      const [hash = "", ...message] = entry.split("\n");
      return { hash, message: message.join("\n").trim() };
    });
  };
  return Promise.all(
    paths.map(async (path) => ({
      path,
      ours_commits: await commits(ours, path),
      theirs_commits: await commits(theirs, path),
    })),
  );
}
