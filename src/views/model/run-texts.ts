/** Texts of a run that a page shows beside its model; each may be only a part. Only types. */

export interface CutText {
  readonly text: string;
  /** Of the whole text. */
  readonly bytes: number;
  readonly cut: boolean;
}

export interface RunTexts {
  /** By name. */
  readonly documents: Readonly<Record<string, CutText>>;
  /** By key of the dispatch. */
  readonly prompts: Readonly<Record<string, CutText>>;
  readonly outputs: Readonly<Record<string, CutText>>;
}
