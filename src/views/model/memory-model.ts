/** What a repository remembers: its memory bank, the dialogues of its runs, its knowledge graph. Only types. */

export interface MemoryModel {
  /** Null: the repository is gone. */
  readonly bank: BankModel | null;
  /** Of riper and dptr, the newest first. */
  readonly dialogues: readonly DialogueModel[];
  readonly graph: GraphModel;
}

export interface BankModel {
  /** Whether there is one. */
  readonly exists: boolean;
  readonly files: readonly BankFileModel[];
  /** Why it cannot be read; null: it can. */
  readonly fault: string | null;
}

export interface BankFileModel {
  readonly path: string;
  readonly name: string | null;
  readonly state: "filled" | "empty" | "edited" | "missing";
  readonly text: string;
  /** Whether the text is longer. */
  readonly cut: boolean;
  readonly changedAt: string | null;
  readonly broken: readonly string[];
}

export interface DialogueModel {
  readonly name: string;
  readonly kind: "plan_loop" | "tdd_loop";
  readonly run: string;
  readonly opened: string;
  readonly closed: string | null;
  readonly observations: number;
}

/** One observation of a dialogue. */
export interface ObservationModel {
  readonly id: number;
  readonly round: number;
  readonly agent: string;
  readonly at: string;
  readonly content: string;
}

/** A part of the knowledge graph. */
export interface GraphModel {
  /** Of the whole graph. */
  readonly entities: number;
  readonly relations: number;
  /** Entities that match what was looked for. */
  readonly found: number;
  /** The first of them. */
  readonly shown: readonly EntityModel[];
  /** Relations from or to them. */
  readonly links: readonly RelationModel[];
}

export interface EntityModel {
  readonly name: string;
  readonly type: string;
  /** The first ones, each cut. */
  readonly observations: readonly string[];
  readonly more: number;
}

export interface RelationModel {
  readonly from: string;
  readonly to: string;
  readonly type: string;
}
