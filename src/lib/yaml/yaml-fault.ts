export interface YamlPosition {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
}

export type YamlPath = readonly PropertyKey[];

export interface YamlFault extends YamlPosition {
  readonly path: readonly string[];
  readonly message: string;
  /** The words that would have been right, where they are a closed list. */
  readonly allowed?: readonly string[];
}
