/** The node that a command belongs to: its id, its place in the tree, and its journaled facts. */
import { invariant } from "../../lib/assert-never.ts";
import { headsPrefix } from "../../git/repository.ts";
import { shortenName } from "../../git/rescue.ts";
import { nodeIdOf, parentIdOf } from "../../log/node-id.ts";
import type { RunState } from "../../kernel/state.ts";
import type { NodeEntry } from "../../log/nodes.ts";
import type { RunView } from "../../log/run-view.ts";

export interface Node {
  /** The spec ids from the root to this node, joined by `--` (V3-58). */
  readonly id: string;
  readonly frame: string;
  /** 0 for the root. */
  readonly depth: number;
  /** Null for the root, whose parent is the branch the run started from. */
  readonly parent: string | null;
  readonly entry: NodeEntry;
}

export interface NodeContext {
  readonly session: {
    readonly state: Pick<RunState, "frames">;
    readonly view: Pick<RunView, "nodes">;
  };
}

/** Null if the protocol has no nodes. */
export function nodeOf({ session }: NodeContext, { frame }: { readonly frame: string }): Node | null {
  const root = rootId({ session });
  if (root === null) return null;
  const items = itemsOf(session.state, frame);
  const id = nodeIdOf([root, ...items]);
  const entry = session.view.nodes[id];
  invariant(entry, `the node ${id} works before it began`);
  return { id, frame, depth: items.length, parent: parentIdOf(id), entry };
}

/** The root begins first. Null if the protocol has no nodes. */
export function rootId({ session }: NodeContext): string | null {
  return Object.keys(session.view.nodes)[0] ?? null;
}

export function entryOf({ session }: NodeContext, id: string): NodeEntry {
  const entry = session.view.nodes[id];
  invariant(entry, `there is no node ${id}`);
  return entry;
}

export function nodeBranch(run: string, node: string): string {
  return `${headsPrefix}${nodeBranchName(run, node)}`;
}

/** The short name. A root may not take the name of a branch that every run has. */
export function nodeBranchName(run: string, node: string): string {
  return `mettle/${run}/${reservedNames.has(node.toLowerCase()) ? `${node}-node` : nodeName(node)}`;
}

const reservedNames: ReadonlySet<string> = new Set(["work", "result"]);

/** The id as the last part of a ref or as a folder name. */
export function nodeName(node: string): string {
  return shortenName(node, 200);
}

/** Spec ids below the root, down to the frame's own. */
function itemsOf(state: Pick<RunState, "frames">, frame: string): readonly string[] {
  const parent = state.frames[frame]?.parent;
  return parent ? [...itemsOf(state, parent.frame), parent.item] : [];
}
