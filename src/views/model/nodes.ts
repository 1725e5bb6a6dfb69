/** The nodes of a graph as a flat list, each parent before its children. Pure. */
import { parentIdOf, specIdOf } from "../../log/node-id.ts";
import type { Recorded } from "../../log/run-event.ts";
import type { RunView } from "../../log/run-view.ts";
import { canonicalJson, sha256 } from "../../lib/hash.ts";
import { flattenNodes, stateText, type NodeStatus } from "../tree/tree-status.ts";
import type { NodeModel } from "./run-model.ts";

export function nodesOf(
  { nodes: entries, ended }: Pick<RunView, "nodes" | "ended">,
  events: readonly Recorded[],
  tree: readonly NodeStatus[],
): readonly NodeModel[] {
  const began = new Map<string, string>();
  const lives = new Map<string, number>();
  const merged = new Map<string, string>();
  for (const event of events) {
    if (event.type === "node.began") {
      if (!began.has(event.node)) began.set(event.node, event.at);
      lives.set(event.node, (lives.get(event.node) ?? 0) + 1);
    }
    if (event.type === "node.merged") merged.set(event.child, event.at);
  }
  const shown = new Map<string, string>();
  for (const root of tree) noteShown(root, { lives, shown });
  const chain = ended === null ? null : lastMerged(tree, merged);
  return flattenNodes(tree).map((node) => ({
    id: node.nodeId,
    parent: parentIdOf(node.nodeId),
    name: specIdOf(node.nodeId),
    depth: node.depth,
    state: node.state,
    words: stateText(node),
    mark: markOf(node),
    attempt: node.attempt,
    waitsFor: node.waitsFor,
    branch: node.branch,
    criteria: node.criteria,
    failure: node.failure === null ? null : `${node.failure.reason}: ${node.failure.details}`,
    critical: chain === null ? node.critical : chain.has(node.nodeId),
    startedAt: began.get(node.nodeId) ?? null,
    mergedAt: merged.get(node.nodeId) ?? null,
    commit: entries[node.nodeId]?.publication?.commit ?? null,
    shown: (ended === null ? shown.get(node.nodeId) : null) ?? null,
  }));
}

interface Shown {
  /** How often each node began: one that begins again is another node. */
  readonly lives: ReadonlyMap<string, number>;
  /** Gets the hash of each open node. */
  readonly shown: Map<string, string>;
}

const hashChars = 16;

/** @returns the hash of the node and of the open ones below it; null if it has ended */
function noteShown(node: NodeStatus, { lives, shown }: Shown): string | null {
  const below = node.nodes.map((child) => noteShown(child, { lives, shown }));
  if (["done", "failed"].includes(markOf(node))) return null;
  const { nodeId } = node;
  const text = canonicalJson([nodeId, Math.max(1, lives.get(nodeId) ?? 1), below]);
  const hash = sha256(text).slice("sha256:".length).slice(0, hashChars);
  shown.set(nodeId, hash);
  return hash;
}

/** A parent waits for all its children, so its end depends on the one that merged last; and so on down. */
function lastMerged(tree: readonly NodeStatus[], merged: ReadonlyMap<string, string>): ReadonlySet<string> {
  const chain = new Set<string>();
  let [node] = tree;
  while (node !== undefined) {
    chain.add(node.nodeId);
    const children = node.nodes.filter(({ nodeId }) => merged.has(nodeId));
    node = children.toSorted((a, b) => timeOf(a, merged).localeCompare(timeOf(b, merged))).at(-1);
  }
  return chain;
}

function timeOf({ nodeId }: NodeStatus, merged: ReadonlyMap<string, string>): string {
  return merged.get(nodeId) ?? "";
}

function markOf({ state, waitsFor }: NodeStatus): NodeModel["mark"] {
  if (/^(?:merged|complete)\b/u.test(state)) return "done";
  if (/^(?:failed|halted|cancelled|stuck)\b/u.test(state)) return "failed";
  if (state === "queued") return "queued";
  return waitsFor.length > 0 ? "waiting" : "open";
}
