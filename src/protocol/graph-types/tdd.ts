/** Node 2, TDD: one node in two modes, which the kernel sets. */
import * as z from "zod";
import { FilePath, Text } from "./notation.ts";
import {
  Critique,
  ImplResult,
  InitWorkPayload,
  PlannedTest,
  Spec,
  TDDApproval,
  TestsReadyPayload,
} from "./shared.ts";

export const TDDMode = z.xor([
  z.strictObject({ WriteTests: z.strictObject({}) }),
  z.strictObject({ ReviewImpl: z.strictObject({ implResult: ImplResult, diff: Text }) }),
]);
export type TDDMode = z.infer<typeof TDDMode>;

export const TDDInput = z.strictObject({ spec: Spec, scaffold: InitWorkPayload, mode: TDDMode });
export type TDDInput = z.infer<typeof TDDInput>;

export const TDDMem = z.strictObject({
  conversationId: Text,
  coveredCriteria: z.array(Text),
  pendingTests: z.array(Text),
});
export type TDDMem = z.infer<typeof TDDMem>;

export const InvalidScaffold = z.strictObject({ missingType: Text, expectedLocation: FilePath });
export type InvalidScaffold = z.infer<typeof InvalidScaffold>;

export const MoreTests = z.strictObject({
  critiques: z.array(Critique),
  additionalTests: z.array(PlannedTest),
});
export type MoreTests = z.infer<typeof MoreTests>;

export const Reject = z.strictObject({ reason: Text, missingCriteria: z.array(Text) });
export type Reject = z.infer<typeof Reject>;

/** The first two end WriteTests, the other three ReviewImpl. */
export const TDDExit = z.xor([
  z.strictObject({ TestsReady: TestsReadyPayload }),
  z.strictObject({ InvalidScaffold }),
  z.strictObject({ Approved: TDDApproval }),
  z.strictObject({ MoreTests }),
  z.strictObject({ Reject }),
]);
export type TDDExit = z.infer<typeof TDDExit>;
