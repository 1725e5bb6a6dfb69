/** Node 3, Impl: makes the failing tests pass. */
import * as z from "zod";
import { MergeFailed } from "./feedback.ts";
import { FilePath, Int, Text, maybe } from "./notation.ts";
import { Critique, ImplResult, InitWorkPayload, MergeComplete, Spec, TestsReadyPayload } from "./shared.ts";

/** `childFailures` is an addition: children whose criteria returned to this node. */
export const ImplInput = z.strictObject({
  spec: Spec,
  scaffold: InitWorkPayload,
  testsReady: TestsReadyPayload,
  childMerges: maybe(z.array(MergeComplete)),
  attemptCount: Int,
  critiqueList: maybe(z.array(Critique)),
  childFailures: maybe(z.array(MergeFailed)),
});
export type ImplInput = z.infer<typeof ImplInput>;

/** The outcome is `partial: …` when fewer tests fail than before, else `failed: …`. */
export const AttemptRecord = z.strictObject({ strategy: Text, outcome: Text });
export type AttemptRecord = z.infer<typeof AttemptRecord>;

export const ImplMem = z.strictObject({
  conversationId: Text,
  passedTests: z.array(Text),
  attemptHistory: z.array(AttemptRecord),
});
export type ImplMem = z.infer<typeof ImplMem>;

export const RequestRetry = z.strictObject({
  diagnosis: Text,
  strategyFrom: Text,
  strategyTo: Text,
  failingTests: z.array(Text),
});
export type RequestRetry = z.infer<typeof RequestRetry>;

export const BlockedDependency = z.strictObject({ missingSymbol: Text, expectedImportPath: FilePath });
export type BlockedDependency = z.infer<typeof BlockedDependency>;

export const SpecAmbiguity = z.strictObject({
  specSentence: Text,
  contradictionTrace: Text,
  question: Text,
});
export type SpecAmbiguity = z.infer<typeof SpecAmbiguity>;

export const Stuck = z.strictObject({ diagnosis: Text, recommendation: Text, attempts: Int });
export type Stuck = z.infer<typeof Stuck>;

export const ImplExit = z.xor([
  z.strictObject({ TestsPassed: ImplResult }),
  z.strictObject({ RequestRetry }),
  z.strictObject({ BlockedDependency }),
  z.strictObject({ SpecAmbiguity }),
  z.strictObject({ Stuck }),
]);
export type ImplExit = z.infer<typeof ImplExit>;
