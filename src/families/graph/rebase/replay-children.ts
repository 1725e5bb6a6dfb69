/**
 * Lays the children that are merged into a node on a new base, without the node's own work: its next scaffold comes on top.
 * A child is there as a whole or not at all.
 */
import { overlaps } from "../../../gates/node/node-paths.ts";
import { mergeOnBase, onParent, ownCommits } from "../../../git/replay.ts";
import { withTrailer } from "../../../git/trailers.ts";
import { changedPaths, composeTree, treeOnly } from "../../../git/objects/tree.ts";
import type { RunContext } from "../../../run/context.ts";
import type { Node } from "../node.ts";

export interface ReplayedChildren {
  readonly tip: string;
  /** Merged children that are not there. */
  readonly without: readonly string[];
}

export async function replayChildren(context: RunContext, node: Node, base: string): Promise<ReplayedChildren> {
  const { repository } = context;
  const { id, entry } = node;
  const own = await ownCommits(repository, { from: entry.published ?? entry.base, to: entry.head });
  const named = await withTrailer(repository, { commits: own, name: "Mettle-Node" });
  const commits = named.filter(({ value }) => value !== id);
  const merged = entry.merged.map(({ child }) => child);
  // A Rebaser's commit may hold a child together with the node's own work.
  const without = new Set(merged.filter((child) => !commits.some(({ value }) => value === child)));
  const changed = await changedPaths(repository, { from: entry.base, to: base });
  const theirs = new Set(changed.map(({ path }) => path));
  for (;;) {
    let tip = base;
    let stuck: string | null = null;
    for (const { commit, value } of commits.filter((one) => !without.has(one.value))) {
      const laid = await replayChild(context, { commit, tip, theirs });
      if (laid === null) stuck = value;
      else tip = laid;
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
 * Null where it changed the same lines as a sibling, or has a file for what is a folder there. What no sibling has touched is
 * as the child left it.
 */
async function replayChild({ repository }: RunContext, { commit, tip, theirs }: ChildCommit): Promise<string | null> {
  const before = `${commit}^`;
  const changed = await changedPaths(repository, { from: before, to: commit });
  const paths = new Set(changed.map(({ path }) => path));
  if ([...paths].some((path) => [...theirs].some((other) => path !== other && overlaps(path, other))))
    return null;
  // With no other file in sight git takes none for a renamed stub of the scaffold, which is not there.
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
