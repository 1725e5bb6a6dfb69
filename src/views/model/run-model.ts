/**
 * What people look at of one run: plain JSON, derived from the journal alone. The page in a browser and the page to keep are
 * both drawn from it, and neither knows more. Only types, so that code of a browser can import them.
 */
import type { AnswerModel, AskModel, BreakerModel, QuestionModel } from "./decision-model.ts";
import type { RecordModel, TestsModel, MutantsModel } from "./evidence-model.ts";
import type { MachineModel } from "./protocol-model.ts";
import type { DispatchModel, PhaseModel, SpentModel, StepModel } from "./step-model.ts";
import type { GateModel, RefusalModel, ReviewModel } from "./verdict-model.ts";

export interface RunModel {
  readonly version: 1;
  readonly run: string;
  /** The newest event of the journal that is part of it. */
  readonly seq: number;
  readonly asked: AskedModel;
  readonly state: StateModel;
  /** In order of their first step. */
  readonly phases: readonly PhaseModel[];
  /** By key, in order of issue. */
  readonly steps: readonly StepModel[];
  readonly dispatches: readonly DispatchModel[];
  readonly spent: SpentModel;
  readonly gates: readonly GateModel[];
  /** What each requirement or criterion of the run is tested by. */
  readonly requirements: readonly RequirementModel[];
  readonly records: readonly RecordModel[];
  /** Id of the record that proves the result, or of the newest verification; null before the first. */
  readonly proof: string | null;
  readonly tests: TestsModel;
  readonly mutants: MutantsModel;
  readonly reviews: readonly ReviewModel[];
  /** Verdicts of critics and reviewers of riper and dptr, one line for each subject. */
  readonly loopReviews: readonly string[];
  readonly refusals: readonly RefusalModel[];
  readonly warnings: readonly string[];
  readonly asks: readonly AskModel[];
  readonly answers: readonly AnswerModel[];
  readonly questions: readonly QuestionModel[];
  readonly breakers: readonly BreakerModel[];
  /** The nodes of a graph, each parent before its children; empty for other protocols. */
  readonly nodes: readonly NodeModel[];
  /** The machines of the protocol; empty if it cannot be read. */
  readonly machines: readonly MachineModel[];
  /** The gates of an Envoy plan that were opened for a person. */
  readonly planGates: readonly PlanGateModel[];
  readonly documents: readonly DocumentModel[];
  readonly commits: readonly CommitModel[];
  readonly result: ResultModel;
}

export interface AskedModel {
  readonly task: string;
  readonly protocol: string;
  readonly repository: string;
  readonly base: string;
  readonly branch: string | null;
  /** The feature branch whose plan of Envoy the run works on; null: none. */
  readonly plan: string | null;
  /** Tests of the base before any agent worked; null in a run of an older version. */
  readonly baseTests: { readonly tests: number; readonly failing: number } | null;
  /** Who plays which role, as given at the start. */
  readonly agents: Readonly<Record<string, string>>;
  /** `bubblewrap 0.11.0`, or `none`. */
  readonly sandbox: string;
  readonly preapproved: readonly string[];
  readonly demo: boolean;
  /** Addresses of what was frozen at the start. */
  readonly frozen: { readonly protocol: string; readonly templates: string; readonly settings: string };
}

export interface StateModel {
  readonly status: "running" | "stopped" | "waiting" | "blocked" | "complete" | "halted" | "failed";
  readonly reason: string | null;
  /** Whether the end is proved: complete, and the run's last proof passed. */
  readonly proved: boolean;
  /** The current phase; null before the first and in a run that has none. */
  readonly phase: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** When the newest event was appended. */
  readonly updatedAt: string | null;
  /** The process that drives the run. */
  readonly owner: number | null;
  readonly stateLine: string | null;
  readonly loopLine: string | null;
  /** Claims and commits that no record proves. */
  readonly unverified: readonly string[];
}

export interface RequirementModel {
  readonly id: string;
  readonly text: string;
  readonly tests: readonly string[];
}

export interface NodeModel {
  readonly id: string;
  readonly parent: string | null;
  /** Its own part of the id. */
  readonly name: string;
  readonly depth: number;
  /** A state of the protocol, and the same in words. */
  readonly state: string;
  readonly words: string;
  /** `merged` and the like, for the colour. */
  readonly mark: "done" | "failed" | "open" | "waiting" | "queued";
  readonly attempt: string | null;
  readonly waitsFor: readonly string[];
  readonly branch: string;
  readonly criteria: { readonly covered: number; readonly of: number };
  readonly failure: string | null;
  /** On the chain of nodes that takes the longest: while it runs the urgent one, afterwards the one that merged last. */
  readonly critical: boolean;
  readonly startedAt: string | null;
  readonly mergedAt: string | null;
  readonly commit: string | null;
  /** Hash of the open nodes that end with it, to which ending it is bound; null: it has ended. */
  readonly shown: string | null;
}

export interface PlanGateModel {
  readonly key: string;
  readonly gate: string;
  readonly file: string;
  readonly command: string | null;
  readonly at: string;
  readonly open: boolean;
}

export interface DocumentModel {
  readonly name: string;
  /** Address of the newest version, and of all of them, oldest first. */
  readonly ref: string;
  readonly versions: readonly string[];
  readonly by: "agent" | "person" | "runtime";
}

export interface CommitModel {
  readonly key: string;
  readonly kind: string;
  readonly node: string | null;
  readonly commit: string;
  readonly paths: readonly string[];
  readonly at: string;
}

export interface ResultModel {
  /** Null until the run is complete. */
  readonly branch: string | null;
  readonly commit: string | null;
  /** Paths that differ from the base. */
  readonly files: readonly string[];
  readonly landed: readonly { readonly onto: string; readonly commit: string }[];
  /** Commands that check and use the result. */
  readonly commands: readonly { readonly words: string; readonly command: string }[];
}
