/** A place in a YAML file. */
export interface YamlPosition {
  readonly file: string;
  /** Starts at 1, like the column. */
  readonly line: number;
  readonly column: number;
}

export type YamlPath = readonly PropertyKey[];

export interface YamlFault extends YamlPosition {
  readonly path: readonly string[];
  readonly message: string;
  /** The allowed values, if they are a closed list. */
  readonly allowed?: readonly string[];
}
