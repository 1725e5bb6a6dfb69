export interface ScreenPart {
  readonly text: string;
  /** `bold`, `dim`, `red`, `green`, `yellow`, or empty. */
  readonly tone: string;
  /** Where it begins. */
  readonly column: number;
}

export function screenLines(
  bytes: string,
  columns: number,
  columnsOf: (text: string) => number,
): readonly (readonly ScreenPart[])[];
