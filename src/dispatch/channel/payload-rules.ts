import type { PayloadRules } from "../../family/decision.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { RunContext } from "../../run/context.ts";
import { bySchema } from "./decisions.ts";
import { payloadSchemas } from "./payload-schemas.ts";

/** The rules for payloads from the protocol's schemas. */
export function plainPayloadRules(
  { protocol, payloadKinds }: Pick<RunContext, "protocol" | "payloadKinds">,
  command: DispatchCommand,
): Promise<PayloadRules> {
  const schemas = payloadSchemas(payloadKinds, command, protocol.roles[command.role]);
  return Promise.resolve({ schemas, judge: bySchema(schemas) });
}
