/** Finds the open node for `--node` (V3-71). */
import { AppError } from "../../lib/errors.ts";
import type { AskCommand } from "../../kernel/command.ts";
import { nodeOf, type Node, type NodeContext } from "./node.ts";

export function openNode(place: NodeContext & { readonly run: string }, wantedId: string): Node {
  const open = openNodes(place);
  const found = open.find(({ id }) => id === wantedId);
  if (found) return found;
  const ids = open.map(({ id }) => id);
  throw new AppError("node_unknown", `run ${place.run} has no open node ${wantedId}`, {
    hint: ids.length === 0 ? `\`mettle status ${place.run}\`` : `open nodes: ${ids.join(", ")}`,
    detail: { open: ids },
  });
}

/** The asks of one node; all asks without `--node`. */
export function asksOfNode(
  place: NodeContext & { readonly run: string },
  asks: readonly AskCommand[],
  wantedId: string | undefined,
): readonly AskCommand[] {
  if (wantedId === undefined) return asks;
  const { frame } = openNode(place, wantedId);
  return asks.filter((ask) => ask.frame === frame);
}

/** Parents come before their children. */
function openNodes(place: NodeContext): readonly Node[] {
  return Object.values(place.session.state.frames).flatMap(({ id, outcome }) => {
    const node = outcome === null ? nodeOf(place, { frame: id }) : null;
    return node === null ? [] : [node];
  });
}
