/**
 * The user's own checkout, in which their session works: read as trees and commits that nobody else sees. Their branch,
 * index, HEAD, stash and files stay as they are (TDP-58).
 */
import { commitTree } from "../git/objects/commit.ts";
import { updateRef, readRef } from "../git/refs.ts";
import type { Repository } from "../git/repository.ts";
import { snapshot } from "../git/objects/snapshot.ts";
import { changedPaths, composeTree } from "../git/objects/tree.ts";
import type { Clock } from "../lib/clock.ts";

interface Place {
  readonly repository: Repository;
  readonly clock: Clock;
}

/** Everything in the checkout, uncommitted work too, but what Mettle itself writes there. */
export async function treeOfCheckout(repository: Repository, base: string): Promise<string> {
  const { tree } = await snapshot(repository, { workspace: repository.checkout, base });
  return composeTree(repository, { base, overlay: tree, take: (path) => !isOwn(path) });
}

/** The checkout as a commit on top of another one, kept under `refs/mettle/`. */
export async function commitOfCheckout({ repository, clock }: Place, parent: string): Promise<string> {
  const commit = await commitTree(repository, {
    tree: await treeOfCheckout(repository, parent),
    parents: [parent],
    subject: "The checkout as it was",
    trailers: {},
    dateMs: clock.now(),
  });
  const ref = `refs/mettle/checkout/${commit}`;
  if ((await readRef(repository, ref)) === null) await updateRef(repository, { ref, to: commit, from: null });
  return commit;
}

/** Paths that were changed there since a commit of it was made. */
export async function changedSince(repository: Repository, commit: string): Promise<readonly string[]> {
  const tree = await treeOfCheckout(repository, commit);
  return (await changedPaths(repository, { from: commit, to: tree })).map(({ path }) => path);
}

/**
 * The checkout as far as it is a role's: its own files as they lie there, of all others what changed since it began. What
 * a refused predecessor left there, or the person had there before, is not this role's work.
 */
export async function treeOfWork(
  repository: Repository,
  { base, before, isItsOwn }: { base: string; before: string; isItsOwn: (path: string) => boolean },
): Promise<string> {
  const changed = new Set(await changedSince(repository, before));
  const overlay = await treeOfCheckout(repository, base);
  return composeTree(repository, { base, overlay, take: (path) => isItsOwn(path) || changed.has(path) });
}

/** The memory bank, and what a session and its tools keep of their own. */
function isOwn(path: string): boolean {
  return /^(?:memory-bank|\.claude|\.mettle)\//u.test(path) || path === ".mcp.json";
}
