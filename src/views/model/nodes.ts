/** The nodes of a graph as a flat list, each parent before its children. Pure. */
import { parentIdOf, specIdOf } from "../../log/node-id.ts";
import type { Recorded } from "../../log/run-event.ts";
import type { RunView } from "../../log/run-view.ts";
import { flattenNodes, stateText, type NodeStatus } from "../tree/tree-status.ts";
import type { NodeModel } from "./run-model.ts";

export function nodesOf(
  { nodes: entries, ended }: Pick<RunView, "nodes" | "ended">,
  events: readonly Recorded[],
  tree: readonly NodeStatus[],
): readonly NodeModel[] {
  const began = new Map<string, string>();
  const merged = new Map<string, string>();
  for (const event of events) {
    if (event.type === "node.began" && !began.has(event.node)) began.set(event.node, event.at);
    if (event.type === "node.merged") merged.set(event.child, event.at);
  }
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
  }));
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
