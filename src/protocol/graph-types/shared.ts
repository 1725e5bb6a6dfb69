/** Types that several nodes of the graph use, with the names and fields of the specification. */
import * as z from "zod";
import { FilePath, Int, Pair, Text, maybe } from "./notation.ts";

export const Constraints = z.strictObject({ time: maybe(Text), space: maybe(Text) });
export type Constraints = z.infer<typeof Constraints>;

export const Criterion = z.strictObject({ id: Text, text: Text });
export type Criterion = z.infer<typeof Criterion>;

export const Spec = z.strictObject({
  id: Text,
  description: Text,
  acceptanceCriteria: z.array(Criterion),
  targetPath: FilePath,
  testPath: FilePath,
  complexityConstraints: maybe(Constraints),
});
export type Spec = z.infer<typeof Spec>;

export const PlannedTest = z.strictObject({ criterionId: Text, plannedTestName: Text, approach: Text });
export type PlannedTest = z.infer<typeof PlannedTest>;

export const Critique = z.strictObject({ file: FilePath, line: Int, issue: Text, requiredFix: Text });
export type Critique = z.infer<typeof Critique>;

export const ImpactLevel = z.enum(["Trivial", "Additive", "Breaking"]);
export type ImpactLevel = z.infer<typeof ImpactLevel>;

export const ChangeEntry = z.strictObject({
  symbol: Text,
  changeType: z.enum(["SignatureChange", "NewExport", "RemovedExport", "BehaviorChange"]),
  reason: Text,
});
export type ChangeEntry = z.infer<typeof ChangeEntry>;

export const NodeInfo = z.strictObject({ nodeId: Text, branch: Text });
export type NodeInfo = z.infer<typeof NodeInfo>;

/** `criteriaWithTests` holds pairs of a criterion's id and a test's name. */
export const CoverageReport = z.strictObject({
  criteriaWithTests: z.array(Pair),
  criteriaMissing: z.array(Text),
});
export type CoverageReport = z.infer<typeof CoverageReport>;

/** The broadcast of a merge to siblings. The author is the nodeId of the merged child. */
export const MergeEvent = z.strictObject({
  author: Text,
  impactLevel: ImpactLevel,
  changes: z.array(ChangeEntry),
});
export type MergeEvent = z.infer<typeof MergeEvent>;

export const MergeComplete = z.strictObject({ mergeCommit: Text, ...MergeEvent.shape });
export type MergeComplete = z.infer<typeof MergeComplete>;

export const InitWorkPayload = z.strictObject({
  scaffoldCommit: Text,
  interfaceFile: FilePath,
  contractSuite: FilePath,
  testPlan: z.array(PlannedTest),
});
export type InitWorkPayload = z.infer<typeof InitWorkPayload>;

export const TestsReadyPayload = z.strictObject({
  testsCommit: Text,
  testFiles: z.array(FilePath),
  pendingCriteria: z.array(Text),
});
export type TestsReadyPayload = z.infer<typeof TestsReadyPayload>;

export const ImplResult = z.strictObject({ commitHash: Text, iterations: Int, passedTests: z.array(Text) });
export type ImplResult = z.infer<typeof ImplResult>;

export const TDDApproval = z.strictObject({ signOff: Text, coverageReport: CoverageReport });
export type TDDApproval = z.infer<typeof TDDApproval>;

export const Adaptation = z.strictObject({ symbol: Text, change: Text, reason: Text });
export type Adaptation = z.infer<typeof Adaptation>;
