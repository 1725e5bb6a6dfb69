/** What an agent says and does while it works. Only a type. */

export interface SaidModel {
  /** Counts from 1 within the dispatch; later entries have higher numbers. */
  readonly n: number;
  /**
   * `says`: a message; `prints`: text outside of messages, of which the next entry of this kind is the rest; `uses`: a tool or a
   * command; `denied`: a tool that it may not use; `retries`: it asks its model again; `reports`: it gave its decision.
   */
  readonly kind: "says" | "prints" | "uses" | "denied" | "retries" | "reports";
  /** Masked; the name of a tool comes first. */
  readonly text: string;
  /** Characters before this entry that are not shown, since there were too many. */
  readonly left?: number;
}
