/**
 * Reads the user's checkout, in which their session works, as hidden trees and commits. It does not change the branch,
 * index, HEAD, stash or files (TDP-58).
 */
import { commitTree } from "../git/objects/commit.ts";
import { updateRef, readRef } from "../git/refs.ts";
import type { Repository } from "../git/repository.ts";
import { snapshot } from "../git/objects/snapshot.ts";
import { changedPaths, composeTree } from "../git/objects/tree.ts";
import type { Clock } from "../lib/clock.ts";

interface CheckoutDeps {
  readonly repository: Repository;
  readonly clock: Clock;
}

/** The checkout including uncommitted work, without files that Mettle writes there. */
export async function treeOfCheckout(repository: Repository, base: string): Promise<string> {
  const { tree } = await snapshot(repository, { workspace: repository.checkout, base });
  return composeTree(repository, { base, overlay: tree, take: (path) => !isMettleFile(path) });
}

/** Commits the checkout on top of `parent` and keeps the commit under `refs/mettle/`. */
export async function commitOfCheckout({ repository, clock }: CheckoutDeps, parent: string): Promise<string> {
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

/** Paths in the checkout that changed since a commit of it. */
export async function changedSince(repository: Repository, commit: string): Promise<readonly string[]> {
  const tree = await treeOfCheckout(repository, commit);
  return (await changedPaths(repository, { from: commit, to: tree })).map(({ path }) => path);
}

/**
 * The work of one role in the checkout: its own files in their current state, and other files changed since it started.
 * Leftovers of a refused predecessor or of the person are not its work.
 */
export async function treeOfWork(
  repository: Repository,
  { base, before, isItsOwn: isOwned }: { base: string; before: string; isItsOwn: (path: string) => boolean },
): Promise<string> {
  const changed = new Set(await changedSince(repository, before));
  const overlay = await treeOfCheckout(repository, base);
  return composeTree(repository, { base, overlay, take: (path) => isOwned(path) || changed.has(path) });
}

/** The memory bank, and files of a session and its tools. */
function isMettleFile(path: string): boolean {
  return /^(?:memory-bank|\.claude|\.mettle)\//u.test(path) || path === ".mcp.json";
}
