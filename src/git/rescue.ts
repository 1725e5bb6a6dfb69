import { commitTree } from "./commit.ts";
import { readRef, updateRef } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { snapshot } from "./snapshot.ts";
import { treeOf } from "./tree.ts";

export const rescuePrefix = "refs/mettle/rescue/";

export interface RescueOptions {
  readonly run: string;
  /** What was at work, e.g. the key of the command; made safe for a ref name. */
  readonly key: string;
  /** Why the work is put aside; stands in the commit. */
  readonly reason: string;
  /** A commit that is about to lose its ref, the files of a workspace as they differ from its base, or a tree made of a base. */
  readonly work:
    | { readonly commit: string }
    | { readonly workspace: string; readonly base: string }
    | { readonly tree: string; readonly base: string };
  readonly dateMs: number;
}

export interface Rescued {
  readonly ref: string;
  /** Its tree is the work; its parent the rescued commit, or the base of the workspace. */
  readonly commit: string;
}

/**
 * Keeps work that is about to be discarded under a ref of its own, and never overwrites one: other work of the same key
 * gets a number. The same call again answers the same ref. null when the workspace differs in nothing from its base.
 */
export async function rescue(repository: Repository, options: RescueOptions): Promise<Rescued | null> {
  const { work } = options;
  const kept = await keptOf(repository, work);
  if ("workspace" in work && kept.tree === (await treeOf(repository, work.base))) return null;

  const commit = await commitTree(repository, {
    tree: kept.tree,
    parents: [kept.parent],
    subject: `Keep unfinished work of ${options.key}`,
    body: options.reason,
    trailers: { "Mettle-Run": options.run, "Mettle-Key": options.key },
    dateMs: options.dateMs,
  });
  const name = `${rescuePrefix}${refSafe(options.run)}/${refSafe(options.key)}`;
  for (let number = 1; ; number += 1) {
    const ref = number === 1 ? name : `${name}-${number}`;
    const current = await readRef(repository, ref);
    if (current === commit) return { ref, commit };
    if (current === null && (await updateRef(repository, { ref, to: commit, from: null })))
      return { ref, commit };
  }
}

async function keptOf(repository: Repository, work: RescueOptions["work"]) {
  if ("commit" in work) return { tree: await treeOf(repository, work.commit), parent: work.commit };
  if ("tree" in work) return { tree: work.tree, parent: work.base };
  return { tree: (await snapshot(repository, work)).tree, parent: work.base };
}

/** A key as one component of a ref name. Different keys may become equal: the number tells their work apart. */
export function refSafe(key: string): string {
  const safe = key
    .replace(/[^A-Za-z0-9_]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 100);
  return safe === "" ? "work" : safe;
}
