/**
 * Replays the merged children of a node on a new base, without the node's own work; its next scaffold comes on top. A
 * child is replayed whole or not at all.
 */
import { overlaps } from "../../../gates/node/node-paths.ts";
import { mergeOnBase, onParent, ownCommits } from "../../../git/replay.ts";
import { withTrailer } from "../../../git/trailers.ts";
import { changedPaths, composeTree, treeOnly } from "../../../git/objects/tree.ts";
import type { RunContext } from "../../../run/context.ts";
import type { Node } from "../node.ts";

export interface ReplayedChildren {
  readonly tip: string;
  /** Merged children that could not be replayed. */
  readonly without: readonly string[];
}

export async function replayChildren(
  context: RunContext,
  node: Node,
  base: string,
): Promise<ReplayedChildren> {
  const { repository } = context;
  const { id, entry } = node;
  const own = await ownCommits(repository, { from: entry.published ?? entry.base, to: entry.head });
  const named = await withTrailer(repository, { commits: own, name: "Mettle-Node" });
  const commits = named.filter(({ value }) => value !== id);
  const merged = entry.merged.map(({ child }) => child);
  // A Rebaser's commit may mix a child with the node's own work.
  const without = new Set(merged.filter((child) => !commits.some(({ value }) => value === child)));
  const changed = await changedPaths(repository, { from: entry.base, to: base });
  const theirs = new Set(changed.map(({ path }) => path));
  for (;;) {
    let tip = base;
    let stuck: string | null = null;
    for (const { commit, value } of commits.filter((one) => !without.has(one.value))) {
      const replayed = await replayChild(context, { commit, tip, theirs });
      if (replayed === null) stuck = value;
      else tip = replayed;
      if (stuck !== null) break;
    }
    if (stuck === null) return { tip, without: merged.filter((child) => without.has(child)) };
    without.add(stuck);
  }
}

interface ChildCommit {
  readonly commit: string;
  readonly tip: string;
  /** Paths that siblings changed. */
  readonly theirs: ReadonlySet<string>;
}

/**
 * Null if it changed the same lines as a sibling, or has a file where there is a folder. Files that no sibling touched
 * stay as the child left them.
 */
async function replayChild(
  { repository }: RunContext,
  { commit, tip, theirs }: ChildCommit,
): Promise<string | null> {
  const before = `${commit}^`;
  const changed = await changedPaths(repository, { from: before, to: commit });
  const paths = new Set(changed.map(({ path }) => path));
  if ([...paths].some((path) => [...theirs].some((other) => path !== other && overlaps(path, other))))
    return null;
  // With no other files in the trees, git detects no false rename of a scaffold stub.
  const [base, ours, after] = await Promise.all(
    [before, tip, commit].map((one) => treeOnly(repository, { commit: one, paths })),
  );
  const merged = await mergeOnBase(repository, { base: base ?? "", ours: ours ?? "", theirs: after ?? "" });
  const conflicts = merged.type === "clean" ? [] : merged.paths;
  if (conflicts.some((path) => theirs.has(path))) return null;
  const take = (one: string, from: string, taken: (path: string) => boolean) =>
    composeTree(repository, { base: one, overlay: from, take: taken });
  const put = await take(tip, merged.tree, (path) => paths.has(path));
  const tree = conflicts.length === 0 ? put : await take(put, commit, (path) => conflicts.includes(path));
  return onParent(repository, { commit, tree, parent: tip });
}
