/**
 * Puts commits on another one, as a rebase does, in git's store alone: no working tree, no index, no ref and no remote.
 * The same commits on the same place give the same ids, so that doing it again changes nothing.
 */
import { git, text } from "./git.ts";
import { recordTrailer } from "./objects/commit.ts";
import { mergeTrees, type Merged } from "./merge.ts";
import { inStore, type Repository } from "./repository.ts";
import { treeOf } from "./objects/tree.ts";

export interface Replayed {
  /** The last commit that could be put there without a conflict. */
  readonly tip: string;
  /** Each commit -> what it became. */
  readonly became: ReadonlyMap<string, string>;
  /** All that is left, merged at once, with conflict markers in the files; null where everything is there. */
  readonly conflict: Extract<Conflict, { type: "conflict" }> | null;
}

type Conflict = Awaited<ReturnType<typeof mergeOnBase>>;

/** The commits behind `from` up to `to`, each against its first parent, on `onto`. */
export async function replay(
  repository: Repository,
  { from, to, onto }: { readonly from: string; readonly to: string; readonly onto: string },
): Promise<Replayed> {
  const became = new Map<string, string>();
  let tip = onto;
  let before = from;
  for (const commit of await ownCommits(repository, { from, to })) {
    const merged = await mergeOnBase(repository, { base: before, ours: tip, theirs: commit });
    if (merged.type === "conflict") {
      // A later commit may have taken back what is in conflict here.
      const rest = await mergeOnBase(repository, { base: before, ours: tip, theirs: to });
      if (rest.type === "conflict") return { tip, became, conflict: rest };
      tip = await onParent(repository, { commit: to, tree: rest.tree, parent: tip });
      became.set(to, tip);
      break;
    }
    tip = await onParent(repository, { commit, tree: merged.tree, parent: tip });
    became.set(commit, tip);
    before = commit;
  }
  return { tip, became, conflict: null };
}

/** First parents only, oldest first: what was merged into them came with its own commits. */
export async function ownCommits(
  repository: Repository,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly string[]> {
  const args = ["rev-list", "--first-parent", "--reverse", `${from}..${to}`];
  const list = text(await git(inStore(repository), args));
  return list === "" ? [] : list.split("\n");
}

/** How the sides of a merge are called between its conflict markers. */
export interface Sides {
  readonly ours: string;
  readonly theirs: string;
}

/** Merges against the base that is named, whatever the histories say; git 2.38 has no option for it. */
export async function mergeOnBase(
  repository: Repository,
  { base, ours, theirs }: { readonly base: string; readonly ours: string; readonly theirs: string },
): Promise<Merged & { readonly sides: Sides }> {
  const [was, our, their] = await Promise.all([base, ours, theirs].map((one) => treeOf(repository, one)));
  const root = await bare(repository, was, []);
  const sides = { ours: await bare(repository, our, [root]), theirs: await bare(repository, their, [root]) };
  return { ...(await mergeTrees(repository, sides)), sides };
}

const nobody = { GIT_AUTHOR_DATE: "@0 +0000", GIT_COMMITTER_DATE: "@0 +0000" };

/** A commit that only a merge looks at. */
async function bare(repository: Repository, tree = "", parents: readonly string[]): Promise<string> {
  const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-m", "side"];
  return text(await git(inStore(repository), args, { env: nobody }));
}

/** The commit with its author, dates and message, on another parent. What proved it there proves nothing here. */
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
