/** The schemas of payloads, by the names in a protocol's `payload` (docs/protocol.md). */
import type { PayloadSchemas } from "../../family/decision.ts";
import * as z from "zod";
import { Questions } from "../../gates/documents/topics.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import { AppError } from "../../lib/errors.ts";
import type { Role } from "../../protocol/machine.ts";
import type { PayloadKinds } from "../../run/payload-kind.ts";
import { allowedCodes, always } from "../prompt/codes.ts";

/** Payload kinds of every protocol; families add their own. */
export const plainPayloadKinds: PayloadKinds = { questions: { schema: Questions } };

export const noSchemas: PayloadSchemas = () => null;

type PayloadDeclaration = Pick<DispatchCommand, "reports" | "payload">;

export function payloadSchemas(
  kinds: PayloadKinds,
  command: PayloadDeclaration,
  role: Pick<Role, "payload"> | undefined,
): PayloadSchemas {
  const names = Object.entries(payloadNamesOf(command, role));
  if (names.length === 0) return noSchemas;
  const schemas = new Map(names.map(([code, name]) => [code, schemaNamed(kinds, name)]));
  return (status) => schemas.get(status) ?? null;
}

/**
 * Code -> name of the schema. The state's `payload` overrides its role's. A single name applies to every code of the state
 * except BL, ME, TO and EX.
 */
export function payloadNamesOf(
  command: PayloadDeclaration,
  role: Pick<Role, "payload"> | undefined,
): Readonly<Record<string, string>> {
  const named = command.payload ?? role?.payload;
  if (named === undefined || typeof named !== "string") return named ?? {};
  const own = allowedCodes(command).filter((code) => !always.includes(code));
  return Object.fromEntries(own.map((code) => [code, named]));
}

/**
 * A decision as JSON Schema, for agents with structured answers (`AgentSpec.schema`). The strictest agents demand that every
 * key is required and no other is allowed; the payload of a code without one is null.
 */
export function decisionSchema(
  command: PayloadDeclaration,
  schemas: PayloadSchemas,
): z.core.JSONSchema.BaseSchema {
  const codes = allowedCodes(command);
  const payloads = [...new Set(codes.flatMap((code) => schemas(code) ?? []))];
  const decision = z.strictObject({
    status: z.enum(codes).describe("the code of your decision"),
    message: z.string().describe("one sentence: what you did, found, or need"),
    ...(payloads.length === 0 ? {} : { payload: z.union([...payloads, z.null()]) }),
  });
  const { $schema: _, ...schema } = z.toJSONSchema(decision, {
    override: ({ jsonSchema }) => strict(jsonSchema),
  });
  return schema;
}

/** Makes optional keys required and nullable. */
function strict(schema: z.core.JSONSchema.BaseSchema): void {
  const { properties, required = [] } = schema;
  if (properties === undefined) return;
  for (const [name, value] of Object.entries(properties))
    if (typeof value === "object" && !required.includes(name) && !acceptsNull(value))
      properties[name] = { anyOf: [value, { type: "null" }] };
  schema.required = Object.keys(properties);
}

function acceptsNull(schema: z.core.JSONSchema._JSONSchema): boolean {
  if (typeof schema === "boolean") return schema;
  return schema.type === "null" || (schema.anyOf ?? []).some(acceptsNull);
}

function schemaNamed(kinds: PayloadKinds, name: string): z.ZodType {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind !== undefined) return kind.schema;
  throw new AppError("protocol_invalid", `no payload schema is called ${name}`, {
    hint: `known: ${Object.keys(kinds).join(", ")}`,
  });
}
