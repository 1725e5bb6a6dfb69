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
  /** What was at work, e.g. the key of the command; made safe for a ref name. */
  readonly key: string;
  /** The node of a graph that the work belongs to; its work is kept in a folder of its own. */
  readonly node?: string;
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
    body: [options.reason, ...kept.notes].join("\n"),
    trailers: { "Mettle-Run": options.run, "Mettle-Key": options.key },
    dateMs: options.dateMs,
  });
  return { ref: await keepRescued(repository, { ...options, commit }), commit };
}

export type RescueName = Pick<RescueOptions, "run" | "key" | "node">;

/**
 * Points a ref of the run at work that is put aside, and returns its name. Another commit of the same name gets a number,
 * and so does a name that git cannot have beside another: a ref is a file, and no folder of other refs.
 */
export async function keepRescued(
  repository: Repository,
  { run, key, node, commit }: RescueName & { readonly commit: string },
): Promise<string> {
  const [first = "", ...rest] = (node === undefined ? [key] : [node, key]).map(refSafe);
  for (let number = 1; ; number += 1) {
    const numbered = number === 1 ? first : `${first}-${number}`;
    const ref = `${rescuePrefix}${[refSafe(run), numbered, ...rest].join("/")}`;
    if (await isTaken(repository, { ref, commit })) return ref;
  }
}

async function isTaken(repository: Repository, { ref, commit }: { ref: string; commit: string }) {
  return updateRef(repository, { ref, to: commit, from: null }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "ref_blocked") return false;
    throw error;
  });
}

async function keptOf(repository: Repository, work: RescueOptions["work"]) {
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
  return safe === "" ? "work" : cutName(safe, 100);
}

/** A name that no file system takes at any length: a long one is cut and ends in a hash of the whole. */
export function cutName(name: string, longest: number): string {
  if (name.length <= longest) return name;
  const hash = sha256(name).replace("sha256:", "").slice(0, 12);
  return `${name.slice(0, longest - hash.length - 1)}-${hash}`;
}
