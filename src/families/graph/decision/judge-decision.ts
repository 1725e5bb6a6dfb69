/** Checks a reported decision: its paths, the type of its exit, then the limits of the tree (V3-05 to 08, 16, 51). */
import type { RefusalRules } from "./refusal.ts";
import type * as z from "zod";
import { nodeExits, type GraphNode } from "../../../protocol/graph-types/nodes.ts";
import type { DispatchCommand } from "../../../kernel/command.ts";
import type { RunContext } from "../../../run/context.ts";
import type { JudgePayload, PayloadRules, PayloadSchemas } from "../../../family/decision.ts";
import { plainPayloadRules } from "../../../dispatch/channel/payload-rules.ts";
import { nodeAt } from "../input.ts";
import { readPayload } from "./read-payload.ts";
import { refusalRules } from "./refusal-rules.ts";

export function judgeDecision(node: GraphNode, { paths, tree }: RefusalRules): JudgePayload {
  const schemas = exitSchemas(node);
  return (status, offered) => {
    const schema = schemas(status);
    // BL, ME and the like need no payload.
    if (schema === null) return { type: "accepted", payload: offered, changes: [] };
    const badPath = paths(status, offered);
    if (badPath !== null) return { type: "refused", ...badPath };
    const read = readPayload(schema, offered);
    if (read.type === "refused") {
      const field = `payload${read.pointer.replaceAll("/", ".")}`;
      return { type: "refused", code: "bad_payload", field, why: `${read.pointer}: ${read.why}` };
    }
    const refused = tree(status, read.value);
    if (refused !== null) return { type: "refused", ...refused };
    return { type: "accepted", payload: read.value, changes: read.changes };
  };
}

export function exitSchemas(node: GraphNode): PayloadSchemas {
  const exits: Readonly<Record<string, z.ZodType>> = nodeExits[node];
  return (status) => (Object.hasOwn(exits, status) ? (exits[status] ?? null) : null);
}

/** The payload rules for the exits of a node. @param path path of its workspace */
export async function nodePayloadRules(
  context: RunContext,
  command: DispatchCommand,
  path: string,
): Promise<PayloadRules> {
  const here = nodeAt(context, command);
  if (here === null) return plainPayloadRules(context, command);
  const { node, as } = here;
  return { schemas: exitSchemas(as), judge: judgeDecision(as, await refusalRules(context, node, path)) };
}
