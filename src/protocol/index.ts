/** The protocol language alone: its schema, its types, its checker. */
export { loadProtocol, readProtocolFile, type ProtocolFile, type ProtocolSources } from "./load.ts";
export { checkProtocol, type CheckOptions, type Problem } from "./check.ts";
export { protocolJsonSchema } from "./json-schema.ts";
export { toMermaid } from "./mermaid.ts";
export type * from "./machine.ts";
