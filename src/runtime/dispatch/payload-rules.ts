import type { DispatchCommand } from "../../kernel/command.ts";
import type { RunContext } from "../context.ts";
import { graphNodeOf } from "../nodes/input.ts";
import { exitSchemas, judgeDecision } from "../nodes/judge-decision.ts";
import { nodeOf } from "../nodes/node.ts";
import { treeRefusals } from "../nodes/tree-refusal.ts";
import { bySchema, type JudgePayload } from "./decisions.ts";
import { payloadSchemas, type PayloadSchemas } from "./payload-schemas.ts";
import type { Workspace } from "./workspace.ts";

interface PayloadRules {
  readonly schemas: PayloadSchemas;
  readonly judge: JudgePayload;
}

/** What the payload of a decision must be here: by the protocol's schemas, or by the exits of a graph's node. */
export async function payloadRules(
  context: RunContext,
  command: DispatchCommand,
  { path }: Pick<Workspace, "path">,
): Promise<PayloadRules> {
  const node = nodeOf(context, command);
  const as = node === null ? null : graphNodeOf(context, command);
  if (node !== null && as !== null)
    return {
      schemas: exitSchemas(as),
      judge: judgeDecision(as, await treeRefusals(context, node, path)),
    };
  const schemas = payloadSchemas(command, context.protocol.roles[command.role]);
  return { schemas, judge: bySchema(schemas) };
}
