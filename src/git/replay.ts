/**
 * Rebases commits onto another one in git's store only: no working tree, index, ref or remote. Idempotent: the same
 * commits on the same base give the same ids.
 */
import { git, text } from "./git.ts";
import { recordTrailer } from "./objects/commit.ts";
import { mergeTrees, type MergeResult } from "./merge.ts";
import { inStore, type Repository } from "./repository.ts";
import { treeOf } from "./objects/tree.ts";

export interface ReplayResult {
  /** The last commit without a conflict. */
  readonly tip: string;
  /** Commit -> rebased commit. */
  readonly rewritten: ReadonlyMap<string, string>;
  /** The remaining commits merged at once, with conflict markers in the files; null if there is no conflict. */
  readonly conflict: Extract<Conflict, { type: "conflict" }> | null;
}

type Conflict = Awaited<ReturnType<typeof mergeOnBase>>;

/** Replays the commits after `from` up to `to`, each compared with its first parent, onto `onto`. */
export async function replay(
  repository: Repository,
  { from, to, onto }: { readonly from: string; readonly to: string; readonly onto: string },
): Promise<ReplayResult> {
  const rewritten = new Map<string, string>();
  let tip = onto;
  let before = from;
  for (const commit of await ownCommits(repository, { from, to })) {
    const merged = await mergeOnBase(repository, { base: before, ours: tip, theirs: commit });
    if (merged.type === "conflict") {
      // A later commit may have reverted the conflicting change.
      const rest = await mergeOnBase(repository, { base: before, ours: tip, theirs: to });
      if (rest.type === "conflict") return { tip, rewritten, conflict: rest };
      tip = await onParent(repository, { commit: to, tree: rest.tree, parent: tip });
      rewritten.set(to, tip);
      break;
    }
    tip = await onParent(repository, { commit, tree: merged.tree, parent: tip });
    rewritten.set(commit, tip);
    before = commit;
  }
  return { tip, rewritten, conflict: null };
}

/** First parents only, oldest first; merged commits are not own commits. */
export async function ownCommits(
  repository: Repository,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly string[]> {
  const args = ["rev-list", "--first-parent", "--reverse", `${from}..${to}`];
  const list = text(await git(inStore(repository), args));
  return list === "" ? [] : list.split("\n");
}

/** The names of the sides in the conflict markers. */
export interface Sides {
  readonly ours: string;
  readonly theirs: string;
}

/** Merges with the given base, independent of the histories; git 2.38 has no option for it. */
export async function mergeOnBase(
  repository: Repository,
  { base, ours, theirs }: { readonly base: string; readonly ours: string; readonly theirs: string },
): Promise<MergeResult & { readonly sides: Sides }> {
  const [was, our, their] = await Promise.all([base, ours, theirs].map((one) => treeOf(repository, one)));
  const root = await bareCommit(repository, was, []);
  const sides = {
    ours: await bareCommit(repository, our, [root]),
    theirs: await bareCommit(repository, their, [root]),
  };
  return { ...(await mergeTrees(repository, sides)), sides };
}

const fixedDates = { GIT_AUTHOR_DATE: "@0 +0000", GIT_COMMITTER_DATE: "@0 +0000" };

/** A commit that only a merge uses. */
async function bareCommit(repository: Repository, tree = "", parents: readonly string[]): Promise<string> {
  const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-m", "side"];
  return text(await git(inStore(repository), args, { env: fixedDates }));
}

/** Copies a commit with author, dates and message onto another parent, without its evidence trailer. */
export async function onParent(
  repository: Repository,
  { commit, tree, parent }: { readonly commit: string; readonly tree: string; readonly parent: string },
): Promise<string> {
  const place = inStore(repository);
  const format = "--format=%an%x00%ae%x00%at%x00%ct%x00%B";
  const [name = "", email = "", written = "", made = "", ...message] = (
    await git(place, ["log", "-1", "--no-show-signature", format, commit])
  )
    .toString("utf8")
    .split("\0");
  const env = {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: `@${written} +0000`,
    GIT_COMMITTER_DATE: `@${made} +0000`,
  };
  const lines = message.join("\0").split("\n");
  const kept = lines.filter((line) => !line.startsWith(`${recordTrailer}: `));
  const input = `${kept.join("\n").trimEnd()}\n`;
  return text(await git(place, ["commit-tree", tree, "-p", parent, "-F", "-"], { env, input }));
}
