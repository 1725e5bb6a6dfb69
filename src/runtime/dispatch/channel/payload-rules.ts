import type { DispatchCommand } from "../../../kernel/command.ts";
import type { RunContext } from "../../../run/context.ts";
import { bySchema, type JudgePayload } from "./decisions.ts";
import { payloadSchemas, type PayloadSchemas } from "./payload-schemas.ts";

export interface PayloadRules {
  readonly schemas: PayloadSchemas;
  readonly judge: JudgePayload;
}

/** What the payload of a decision must be by the protocol's schemas. */
export function plainPayloadRules(
  { protocol, payloadKinds }: Pick<RunContext, "protocol" | "payloadKinds">,
  command: DispatchCommand,
): Promise<PayloadRules> {
  const schemas = payloadSchemas(payloadKinds, command, protocol.roles[command.role]);
  return Promise.resolve({ schemas, judge: bySchema(schemas) });
}
