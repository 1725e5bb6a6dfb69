/** What a model is made of: the folded journal, its events, and stored texts that were read for it. */
import type { EvidenceRecord } from "../../evidence/record.ts";
import type { Recorded } from "../../log/run-event.ts";
import type { RunView } from "../../log/run-view.ts";
import type { Protocol } from "../../protocol/machine.ts";
import type { LaterCommit } from "../gate/claims.ts";
import type { NodeStatus } from "../tree/tree-status.ts";
import type { RequirementModel } from "./run-model.ts";

export interface RunFacts {
  readonly view: RunView;
  /** The whole journal of the run, in order. */
  readonly events: readonly Recorded[];
  /** The process that drives the run; null: none. */
  readonly owner: number | null;
  readonly later?: LaterCommit | null;
  /** By id; a missing one is shown without what only it knows. */
  readonly records?: ReadonlyMap<string, EvidenceRecord>;
  /** Verdicts of gates by address; a missing one is shown without its checks. */
  readonly verdicts?: ReadonlyMap<string, StoredVerdict>;
  /** As it was frozen at the run's start. */
  readonly protocol?: Protocol | undefined;
  /** The nodes of a graph: only the root, which contains the others. */
  readonly nodes?: readonly NodeStatus[];
  readonly requirements?: readonly RequirementModel[];
  /** Paths that differ between the base and the result. */
  readonly files?: readonly string[];
  /** One sentence for each thing that could not be read. */
  readonly unread?: readonly string[];
}

/** The part of a gate's stored verdict that is shown (gates/verdict.ts). */
export interface StoredVerdict {
  readonly checks: readonly { readonly name: string; readonly verdict: string; readonly reason: string }[];
  readonly rows?: readonly { readonly name: string; readonly mark: string; readonly why: string }[];
  readonly findings: readonly {
    readonly code: string;
    readonly message: string;
    readonly path?: string | undefined;
  }[];
}
