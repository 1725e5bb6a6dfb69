/** What the page and its server send each other, as JSON. Only types: the server imports them too. */
import type { RunModel, StateModel } from "../../views/model/run-model.ts";
import type { SaidModel } from "../../views/model/said-model.ts";

/** A repository in the list. */
export interface RepositoryRow {
  readonly id: string;
  readonly name: string;
  readonly path: string | null;
  /** Its folder is gone; its runs can still be looked at. */
  readonly gone: boolean;
  /** Why its runs cannot be read; null: they can. */
  readonly fault: string | null;
  /** Another text whenever a gate of its Envoy plans may have been opened or answered. */
  readonly gates: string;
  /** The newest first. */
  readonly runs: readonly RunRow[];
}

/** A run in the list. */
export interface RunRow {
  readonly repository: string;
  readonly run: string;
  readonly task: string;
  readonly protocol: string;
  readonly status: StateModel["status"];
  readonly phase: string | null;
  /** What a person is asked; null: nobody is. */
  readonly waits: string | null;
  readonly reason: string | null;
  readonly costUsd: number | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

/** One run as it is now. */
export interface RunNow {
  /** Changes whenever the model may have changed. */
  readonly key: string;
  readonly seq: number;
  /** Hash of its state, to which pausing, resuming and aborting are bound. */
  readonly state: string;
  readonly model: RunModel;
}

/** What an agent said and did since the last event. */
export interface SaidEvent {
  /** Of its dispatch. */
  readonly key: string;
  readonly entries: readonly SaidModel[];
  /** They replace all earlier ones. */
  readonly anew: boolean;
}

/** A stored text, or a part of it. */
export interface TextPart {
  readonly text: string;
  /** Bytes of the whole text, and the part's place in it. */
  readonly total: number;
  readonly from: number;
  readonly to: number;
}

/** A comment of a person on a line of a document or a diff. */
export interface LineComment {
  readonly of: CommentedText;
  readonly file: string;
  readonly line: number;
  /** Of a diff: a removed line is counted in the file before the change. */
  readonly side: "before" | "after";
  readonly text: string;
}

/** The text that the page showed: it is named by hashes, so another version is another text. */
export type CommentedText =
  | { readonly type: "document"; readonly ref: string }
  /** `from` is null for the commit before it. */
  | { readonly type: "diff"; readonly commit: string; readonly from: string | null };

interface OfAsk {
  /** Key of the ask, and the hash of what the page showed of it. */
  readonly ask: string;
  readonly hash: string;
}

interface OfRun {
  readonly state: string;
}

export type Decision =
  | ({ readonly type: "approve" } & OfAsk)
  | ({ readonly type: "reject"; readonly reason: string; readonly comments: LineComment[] } & OfAsk)
  | ({ readonly type: "answer"; readonly answers: { readonly id: string; readonly text: string }[] } & OfAsk)
  | ({ readonly type: "choose"; readonly answer: string; readonly text: string } & OfAsk)
  | ({ readonly type: "accept-base"; readonly count: number } & OfAsk)
  | ({
      readonly type: "resume-with";
      readonly choice: "reset" | "context" | "approach";
      readonly text: string;
    } & OfAsk)
  /** `text` is for the agents that work next; empty: none. */
  | ({ readonly type: "resume"; readonly text: string } & OfRun)
  | ({ readonly type: "pause" } & OfRun)
  | ({ readonly type: "abort"; readonly reason: string } & OfRun)
  /** `shown` is the hash of the node and what ends with it, as the page showed it. */
  | { readonly type: "abort-node"; readonly node: string; readonly shown: string; readonly reason: string };

/** A gate of an Envoy plan, as a form. */
export interface GateForm {
  readonly gate: string;
  readonly branch: string;
  readonly title: string;
  readonly question: readonly string[];
  readonly fields: readonly FormField[];
  readonly hash: string;
  readonly refused: string | null;
}

export interface FormField {
  /** Parts joined by dots. */
  readonly name: string;
  readonly type: "yes-or-no" | "choice" | "text";
  readonly choices: readonly string[];
  /** Null: a person must choose. */
  readonly value: string | null;
}

export interface GateAnswer {
  readonly branch: string;
  readonly gate: string;
  readonly hash: string;
  readonly sets: (readonly [field: string, value: string])[];
}

/** An error with its reason and what would be accepted. */
export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}
