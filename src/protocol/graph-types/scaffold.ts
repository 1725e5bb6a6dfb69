/** Node 1, Scaffold: its input and its exits. */
import * as z from "zod";
import { Feedback } from "./feedback.ts";
import { FilePath, Int, Text, maybe } from "./notation.ts";
import { Criterion, InitWorkPayload, Spec } from "./shared.ts";

export const ParentContext = z.strictObject({ interface: Text, assignedCriteria: Text });
export type ParentContext = z.infer<typeof ParentContext>;

/** `feedback`, `depth` and `maxDepth` are additions: why Scaffold is repeated, and whether it may have children. */
export const ScaffoldInput = z.strictObject({
  spec: Spec,
  parentContext: maybe(ParentContext),
  feedback: maybe(z.array(Feedback)),
  depth: maybe(Int),
  maxDepth: maybe(Int),
});
export type ScaffoldInput = z.infer<typeof ScaffoldInput>;

export const ChildSpec = z.strictObject({
  id: Text,
  description: Text,
  acceptanceCriteria: z.array(Criterion),
  targetPath: FilePath,
  testPath: FilePath,
});
export type ChildSpec = z.infer<typeof ChildSpec>;

export const InterfaceFile = z.strictObject({ path: FilePath, exports: z.array(Text) });
export type InterfaceFile = z.infer<typeof InterfaceFile>;

/** Absent, null and empty `childSpecs` all mean no children. */
export const InitWork = z.strictObject({
  ...InitWorkPayload.shape,
  childSpecs: maybe(z.array(ChildSpec)),
  interfaces: maybe(z.array(InterfaceFile)),
});
export type InitWork = z.infer<typeof InitWork>;

export const ClarificationNeeded = z.strictObject({
  question: Text,
  ambiguityReference: Text,
  specSentence: Text,
});
export type ClarificationNeeded = z.infer<typeof ClarificationNeeded>;

export const ScaffoldExit = z.xor([z.strictObject({ InitWork }), z.strictObject({ ClarificationNeeded })]);
export type ScaffoldExit = z.infer<typeof ScaffoldExit>;
