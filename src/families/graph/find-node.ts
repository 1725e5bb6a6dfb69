/** The node that a person means by `--node`: one that has not ended (V3-71). */
import { AppError } from "../../lib/errors.ts";
import type { AskCommand } from "../../kernel/command.ts";
import { nodeOf, type Node, type NodeContext } from "./node.ts";

export function openNode(place: NodeContext & { readonly run: string }, given: string): Node {
  const open = openNodes(place);
  const found = open.find(({ id }) => id === given);
  if (found) return found;
  const ids = open.map(({ id }) => id);
  throw new AppError("node_unknown", `run ${place.run} has no open node ${given}`, {
    hint: ids.length === 0 ? `\`mettle status ${place.run}\`` : `open nodes: ${ids.join(", ")}`,
    detail: { open: ids },
  });
}

/** The asks of one node; all where nobody names one. */
export function asksOfNode(
  place: NodeContext & { readonly run: string },
  asks: readonly AskCommand[],
  given: string | undefined,
): readonly AskCommand[] {
  if (given === undefined) return asks;
  const { frame } = openNode(place, given);
  return asks.filter((ask) => ask.frame === frame);
}

/** Each parent before its children. */
function openNodes(place: NodeContext): readonly Node[] {
  return Object.values(place.session.state.frames).flatMap(({ id, outcome }) => {
    const node = outcome === null ? nodeOf(place, { frame: id }) : null;
    return node === null ? [] : [node];
  });
}
