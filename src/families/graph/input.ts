/** Builds the typed input of a node (V3-53 to 55). */
import { assertNever } from "../../lib/assert-never.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import { isGraphNode, type GraphNode, type NodeInput } from "../../protocol/graph-types/nodes.ts";
import type { RunContext } from "../../run/context.ts";
import { implInput } from "./input/impl.ts";
import { mergerInput } from "./input/merger.ts";
import { rebaserInput } from "./input/rebaser.ts";
import { scaffoldInput } from "./input/scaffold.ts";
import { tddInput } from "./input/tdd.ts";
import { nodeOf, type Node } from "./node.ts";

/** The node of a command and its agent type; null if its role has its own template. */
export function nodeAt(
  context: RunContext,
  command: DispatchCommand,
): { readonly node: Node; readonly as: GraphNode } | null {
  const node = nodeOf(context, command);
  const as = command.template ?? context.protocol.roles[command.role]?.template ?? command.role;
  return node !== null && isGraphNode(as) ? { node, as } : null;
}

export function nodeInput(
  context: RunContext,
  { command, node, as }: { readonly command: DispatchCommand; readonly node: Node; readonly as: GraphNode },
): Promise<NodeInput> {
  switch (as) {
    case "scaffold":
      return scaffoldInput(context, command, node);
    case "tdd":
      return tddInput(context, command, node);
    case "impl":
      return implInput(context, command, node);
    case "merger":
      return mergerInput(context, node);
    case "rebaser":
      return rebaserInput(context, command, node);
    default:
      return assertNever(as);
  }
}
