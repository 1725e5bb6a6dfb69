/** Replaces spans of a text. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

/** The edits must not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let out = text;
  for (const { start, end, by } of edits.toSorted((one, other) => other.start - one.start))
    out = `${out.slice(0, start)}${by}${out.slice(end)}`;
  return out;
}
