/** The protocol language: its schema, types and checker. */
export {
  isLibrary,
  loadProtocol,
  readProtocolFile,
  type ProtocolFile,
  type ProtocolSources,
} from "./load.ts";
export { checkProtocol, type CheckOptions, type Problem, type ProblemCode, type WalkStep } from "./check.ts";
export { protocolJsonSchema } from "./json-schema.ts";
export { toMermaid } from "./mermaid.ts";
export { envelopeOf, type Envelope, type Severity } from "./envelope.ts";
export type * from "./machine.ts";
