/** A plan of Envoy as people look at it: each prompt with the steps of its protocol, and its change (SEE-05). Only types. */

export interface PlanModel {
  /** Its feature branch. */
  readonly branch: string;
  readonly title: string;
  readonly prompts: readonly PlanPromptModel[];
}

export interface PlanPromptModel {
  /** `1`, `2 A`. */
  readonly id: string;
  readonly description: string;
  readonly isInProgress: boolean;
  readonly agent: string | null;
  readonly iterations: number;
  /** In the order of the protocol; the first that is not done is the current one. */
  readonly steps: readonly { readonly name: string; readonly isDone: boolean }[];
  /** What the tests of the merged tree gave, and in which record; null: they were not run. */
  readonly verified: { readonly verdict: "pass" | "fail" | "inconclusive"; readonly record: string } | null;
  /** Commits between which its change is; `from` null: the commit before. Null: there is none yet. */
  readonly change: { readonly commit: string; readonly from: string | null } | null;
}
