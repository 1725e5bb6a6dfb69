/**
 * A protocol file as a tree with the source position of each part, so that inheritance keeps positions.
 * Implements the merge rule: mappings merge key by key, everything else replaces, `null` removes.
 */
import type { YamlFault, YamlPath, YamlPosition } from "../lib/yaml/yaml-fault.ts";
import type { YamlDocument } from "../lib/yaml/yaml-document.ts";

interface SourcePart {
  /** The source file and path of this part. */
  readonly document: YamlDocument<unknown>;
  readonly path: YamlPath;
}
export interface Branch extends SourcePart {
  readonly type: "branch";
  readonly entries: ReadonlyMap<string, Tree>;
}
/** Anything but a mapping; it replaces as a whole. */
export interface Leaf extends SourcePart {
  readonly type: "leaf";
  readonly value: unknown;
}
/** A `null`. It is kept until inheritance is complete, because a `like` may add the key that it removes. */
export interface Removal extends SourcePart {
  readonly type: "removal";
  readonly used: boolean;
}
export type Tree = Branch | Leaf | Removal;

/** Merges two values of one key. */
export type Merge = (base: Tree, over: Tree) => Tree;
/** The merge rule of each key of a mapping. */
export type MergeRules = (key: string) => Merge;

export function toTree(document: YamlDocument<unknown>): Tree {
  return treeOf(document.raw, document, []);
}

function treeOf(value: unknown, document: YamlDocument<unknown>, path: YamlPath): Tree {
  if (value === null) return { type: "removal", used: false, document, path };
  if (typeof value !== "object" || Array.isArray(value)) return { type: "leaf", value, document, path };
  const entries = Object.entries(value).map(
    ([key, inner]) => [key, treeOf(inner, document, [...path, key])] as const,
  );
  return { type: "branch", entries: new Map(entries), document, path };
}

export const mergePlain: Merge = (base, over) => mergeKeys(base, over, () => mergePlain);

export function mergeKeys(base: Tree, over: Tree, rules: MergeRules): Tree {
  if (base.type !== "branch" || over.type !== "branch") return over;
  const entries = new Map(base.entries);
  for (const [key, own] of over.entries) {
    const inherited = base.entries.get(key);
    entries.set(key, inherited === undefined ? own : mergeEntry(inherited, own, rules(key)));
  }
  return { ...over, entries };
}

function mergeEntry(inherited: Tree, own: Tree, merge: Merge): Tree {
  if (own.type === "removal") return { ...own, used: own.used || inherited.type !== "removal" };
  return inherited.type === "removal" ? own : merge(inherited, own);
}

/** A merge rule for mappings whose entries all merge in the same way. */
export function mergeEach(merge: Merge): Merge {
  return (base, over) => mergeKeys(base, over, () => merge);
}

export function child(tree: Tree | undefined, key: string): Tree | undefined {
  const found = tree?.type === "branch" ? tree.entries.get(key) : undefined;
  return found?.type === "removal" ? undefined : found;
}

export function textOf(tree: Tree | undefined): string | undefined {
  return tree?.type === "leaf" && typeof tree.value === "string" ? tree.value : undefined;
}

export function without(tree: Branch, ...keys: readonly string[]): Branch;
export function without(tree: Tree, ...keys: readonly string[]): Tree;
export function without(tree: Tree, ...keys: readonly string[]): Tree {
  if (tree.type !== "branch") return tree;
  return { ...tree, entries: new Map([...tree.entries].filter(([key]) => !keys.includes(key))) };
}

export function withEntry(branch: Branch, key: string, tree: Tree): Branch {
  return { ...branch, entries: new Map(branch.entries).set(key, tree) };
}

/** Drops removals; a removal without effect is a fault. */
export function applyRemovals(tree: Tree): { readonly tree: Tree; readonly faults: readonly YamlFault[] } {
  if (tree.type !== "branch") return { tree, faults: [] };
  const entries = new Map<string, Tree>();
  const faults: YamlFault[] = [];
  for (const [key, inner] of tree.entries) {
    if (inner.type !== "removal") {
      const settled = applyRemovals(inner);
      entries.set(key, settled.tree);
      faults.push(...settled.faults);
    } else if (!inner.used) {
      faults.push(faultAt(inner, `${key} has no value, and nothing is inherited that it could remove`));
    }
  }
  return { tree: { ...tree, entries }, faults };
}

/** The plain value with the positions of its parts. */
export function toDocument(tree: Tree): YamlDocument<unknown> {
  const value = valueOf(tree);
  return {
    file: tree.document.file,
    value,
    raw: value,
    at: (path) => positionOf(tree, path, "at"),
    keyAt: (path) => positionOf(tree, path, "keyAt"),
  };
}

export function faultAt(tree: Tree, message: string, allowed?: readonly string[]): YamlFault {
  const position = tree.document.keyAt(tree.path);
  return { ...position, path: tree.path.map(String), message, ...(allowed === undefined ? {} : { allowed }) };
}

function valueOf(tree: Tree): unknown {
  if (tree.type !== "branch") return tree.type === "leaf" ? tree.value : null;
  return Object.fromEntries([...tree.entries].map(([key, inner]) => [key, valueOf(inner)]));
}

function positionOf(tree: Tree, path: YamlPath, end: "at" | "keyAt"): YamlPosition {
  const [key, ...rest] = path;
  if (key === undefined) return tree.document[end](tree.path);
  if (tree.type !== "branch") return tree.document[end]([...tree.path, ...path]);
  const inner = tree.entries.get(String(key));
  // Falls back to the nearest existing position.
  return inner === undefined ? tree.document.keyAt(tree.path) : positionOf(inner, rest, end);
}
