/** What ends if a person ends a node of a graph. Pure. */
import type { NodeModel } from "./run-model.ts";

/** The node and all open ones below it, each parent before its children. */
export function endingWith(nodes: readonly NodeModel[], id: string): readonly NodeModel[] {
  const below = new Set([id]);
  return nodes.filter(({ id: one, parent, shown }) => {
    if (one !== id && (parent === null || !below.has(parent))) return false;
    below.add(one);
    return shown !== null;
  });
}
