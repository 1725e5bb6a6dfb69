import { AppError } from "../lib/errors.ts";
import { sha256 } from "../lib/hash.ts";
import { commitTree } from "./objects/commit.ts";
import { updateRef } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { snapshot } from "./objects/snapshot.ts";
import { treeOf } from "./objects/tree.ts";

export const rescuePrefix = "refs/mettle/rescue/";

export interface RescueOptions {
  readonly run: string;
  /** What made the work, e.g. a command's key; escaped for a ref name. */
  readonly key: string;
  /** The graph's node with the work; each node has a separate ref folder. */
  readonly node?: string;
  /** Why the work is saved; goes into the commit message. */
  readonly reason: string;
  /** A commit about to lose its ref, the changes of a workspace against its base, or a tree with its base. */
  readonly work:
    | { readonly commit: string }
    | { readonly workspace: string; readonly base: string }
    | { readonly tree: string; readonly base: string };
  readonly dateMs: number;
}

export interface RescueResult {
  readonly ref: string;
  /** Its tree is the work; its parent is the rescued commit or the base. */
  readonly commit: string;
}

/**
 * Saves work that is about to be discarded under a new ref. Never overwrites a ref: other work with the same key gets a
 * number. Idempotent. Returns null if the workspace equals its base.
 */
export async function rescue(repository: Repository, options: RescueOptions): Promise<RescueResult | null> {
  const { work } = options;
  const kept = await treeToKeep(repository, work);
  if ("workspace" in work && kept.tree === (await treeOf(repository, work.base))) return null;

  const commit = await commitTree(repository, {
    tree: kept.tree,
    parents: [kept.parent],
    subject: `Keep unfinished work of ${options.key}`,
    body: [options.reason, ...kept.notes].join("\n"),
    trailers: { "Mettle-Run": options.run, "Mettle-Key": options.key },
    dateMs: options.dateMs,
  });
  return { ref: await createRescueRef(repository, { ...options, commit }), commit };
}

export type RescueName = Pick<RescueOptions, "run" | "key" | "node">;

/**
 * Creates a ref of the run for saved work, and returns its name. Adds a number if the name is used for another commit or
 * conflicts with another ref, since a ref cannot be a folder of other refs.
 */
export async function createRescueRef(
  repository: Repository,
  { run, key, node, commit }: RescueName & { readonly commit: string },
): Promise<string> {
  const [first = "", ...rest] = (node === undefined ? [key] : [node, key]).map(refSafe);
  for (let number = 1; ; number += 1) {
    const numbered = number === 1 ? first : `${first}-${number}`;
    const ref = `${rescuePrefix}${[refSafe(run), numbered, ...rest].join("/")}`;
    if (await claimRef(repository, { ref, commit })) return ref;
  }
}

async function claimRef(repository: Repository, { ref, commit }: { ref: string; commit: string }) {
  return updateRef(repository, { ref, to: commit, from: null }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "ref_blocked") return false;
    throw error;
  });
}

async function treeToKeep(repository: Repository, work: RescueOptions["work"]) {
  if ("commit" in work)
    return { tree: await treeOf(repository, work.commit), parent: work.commit, notes: [] };
  if ("tree" in work) return { tree: work.tree, parent: work.base, notes: [] };
  const { tree, leftOut, ignored } = await snapshot(repository, work);
  const notes = [
    ...leftOut.map(({ path, why }) => `Not kept: ${path} (${why})`),
    ...ignored.map((path) => `Not kept: ${path} (ignored)`),
  ];
  return { tree, parent: work.base, notes: notes.slice(0, maxNotes) };
}

const maxNotes = 50;

/** A key as one component of a ref name. */
export function refSafe(key: string): string {
  const safe = key.replace(/[^A-Za-z0-9_]+/g, "-").replace(/^-+|-+$/g, "");
  return safe === "" ? "work" : shortenName(safe, 100);
}

/** Shortens a name for file systems: a long one is cut and ends in a hash of the full name. */
export function shortenName(name: string, maxLength: number): string {
  if (name.length <= maxLength) return name;
  const hash = sha256(name).replace("sha256:", "").slice(0, 12);
  return `${name.slice(0, maxLength - hash.length - 1)}-${hash}`;
}
