/** Node 4, Merger: folds a finished child into its parent. */
import * as z from "zod";
import { FilePath, Text } from "./notation.ts";
import { MergeComplete, NodeInfo, TDDApproval } from "./shared.ts";

/** At the root `parentNode` is `base` with the base branch. */
export const MergerInput = z
  .strictObject({
    parentNode: NodeInfo,
    childNode: NodeInfo,
    tddApproval: TDDApproval,
    contractSuite: FilePath,
  })
  .refine(({ parentNode, childNode }) => parentNode.nodeId !== childNode.nodeId, {
    path: ["childNode", "nodeId"],
    error: "expected another node than parentNode",
  });
export type MergerInput = z.infer<typeof MergerInput>;

export const MergeRejected = z.strictObject({
  reason: z.enum(["ContractViolation", "BuildFailure", "IntegrationFailure"]),
  details: Text,
  failingTests: z.array(Text),
});
export type MergeRejected = z.infer<typeof MergeRejected>;

export const MergerExit = z.xor([z.strictObject({ MergeComplete }), z.strictObject({ MergeRejected })]);
export type MergerExit = z.infer<typeof MergerExit>;
