/** Node 5, Rebaser: adapts a node to a sibling's merge. */
import * as z from "zod";
import { FilePath, Text } from "./notation.ts";
import { Adaptation, MergeEvent, NodeInfo } from "./shared.ts";

export const RebaserInput = z.strictObject({
  node: NodeInfo,
  parentBranch: Text,
  newParentHead: Text,
  mergeEvent: MergeEvent,
});
export type RebaserInput = z.infer<typeof RebaserInput>;

export const RebaseClean = z.strictObject({ newBase: Text });
export type RebaseClean = z.infer<typeof RebaseClean>;

export const RebaseAdapted = z.strictObject({ newBase: Text, adaptations: z.array(Adaptation) });
export type RebaseAdapted = z.infer<typeof RebaseAdapted>;

export const RebaseConflict = z.strictObject({
  conflictFile: FilePath,
  ourChange: Text,
  theirChange: Text,
  whyUnresolvable: Text,
});
export type RebaseConflict = z.infer<typeof RebaseConflict>;

export const RebaserExit = z.xor([
  z.strictObject({ RebaseClean }),
  z.strictObject({ RebaseAdapted }),
  z.strictObject({ RebaseConflict }),
]);
export type RebaserExit = z.infer<typeof RebaserExit>;
