/** The files that must not change and the tests that must pass when a node is joined with its parent's branch. */
import type { Hashes } from "../../gates/suite/frozen.ts";
import { hashFiles } from "../../git/objects/contents.ts";
import { changedPaths } from "../../git/objects/tree.ts";
import { ancestryOf } from "../../log/node-id.ts";
import { union } from "../../lib/lists.ts";
import type { RunContext } from "../../run/context.ts";
import { entryOf, type Node } from "./node.ts";

export interface Locks {
  readonly files: Hashes;
  readonly required: readonly string[];
}

/** The locked files that its own work added, and everything that its children locked. */
export async function ownLocks(
  { repository, session }: RunContext,
  { id, parent, entry }: Node,
): Promise<Locks> {
  const { locked, base, head, merged } = entry;
  const own = new Set((await changedPaths(repository, { from: base, to: head })).map(({ path }) => path));
  // After an earlier merge, its base may contain files that it added then.
  const before = parent === null ? [] : (session.view.nodes[parent]?.merged ?? []);
  const earlier = before.find(({ child }) => child === id);
  const files = Object.entries(locked?.files ?? {}).filter(
    ([path]) => own.has(path) || earlier?.files[path] !== undefined,
  );
  return {
    files: { ...allFiles(merged), ...Object.fromEntries(files) },
    required: union(locked?.required ?? [], ...merged.map(({ required }) => required)),
  };
}

/** The locks of its merged siblings. */
export function siblingLocks({ session }: RunContext, { id, parent }: Node): Locks {
  const merged = parent === null ? [] : (session.view.nodes[parent]?.merged ?? []);
  const others = merged.filter(({ child }) => child !== id);
  return { files: allFiles(others), required: union(...others.map(({ required }) => required)) };
}

/**
 * Files locked by ancestors, at a commit of the parent's branch. Their tests fail until the ancestor's Impl has run.
 */
export async function ancestorLocks(context: RunContext, { parent }: Node, commit: string): Promise<Hashes> {
  const paths = (parent === null ? [] : ancestryOf(parent)).flatMap((id) => {
    const { locked, merged } = entryOf(context, id);
    return [...Object.keys(locked?.files ?? {}), ...Object.keys(allFiles(merged))];
  });
  return hashFiles(context.repository, { commit, paths: [...new Set(paths)] });
}

function allFiles(locks: readonly { readonly files: Hashes }[]): Hashes {
  return Object.assign({}, ...locks.map(({ files }) => files)) as Hashes;
}
