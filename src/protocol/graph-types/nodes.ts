/** The five nodes: their inputs, memories, and exits. A decision's status is the name of an exit. */
import * as z from "zod";
import { BlockedDependency, ImplInput, ImplMem, RequestRetry, SpecAmbiguity, Stuck } from "./impl.ts";
import { MergeRejected, MergerInput } from "./merger.ts";
import { RebaseAdapted, RebaseClean, RebaseConflict, RebaserInput } from "./rebaser.ts";
import { ClarificationNeeded, InitWork, ScaffoldInput } from "./scaffold.ts";
import { ImplResult, MergeComplete, TDDApproval, TestsReadyPayload } from "./shared.ts";
import { InvalidScaffold, MoreTests, Reject, TDDInput, TDDMem } from "./tdd.ts";

export const graphNodes = ["scaffold", "tdd", "impl", "merger", "rebaser"] as const;
export type GraphNode = (typeof graphNodes)[number];

export const nodeInputs = {
  scaffold: ScaffoldInput,
  tdd: TDDInput,
  impl: ImplInput,
  merger: MergerInput,
  rebaser: RebaserInput,
} as const;
export type NodeInput<N extends GraphNode = GraphNode> = z.infer<(typeof nodeInputs)[N]>;

const NoMemory = z.strictObject({});

/** Private to the node: never in a template, payload or tool of another node. */
export const nodeMemories = {
  scaffold: NoMemory,
  tdd: TDDMem,
  impl: ImplMem,
  merger: NoMemory,
  rebaser: NoMemory,
} as const;
export type NodeMemory<N extends GraphNode = GraphNode> = z.infer<(typeof nodeMemories)[N]>;

/** Exit -> payload schema. All seventeen names differ. */
export const nodeExits = {
  scaffold: { InitWork, ClarificationNeeded },
  tdd: { TestsReady: TestsReadyPayload, InvalidScaffold, Approved: TDDApproval, MoreTests, Reject },
  impl: { TestsPassed: ImplResult, RequestRetry, BlockedDependency, SpecAmbiguity, Stuck },
  merger: { MergeComplete, MergeRejected },
  rebaser: { RebaseClean, RebaseAdapted, RebaseConflict },
} as const;

export function isGraphNode(word: string): word is GraphNode {
  return graphNodes.some((node) => node === word);
}
