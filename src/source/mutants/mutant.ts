/** A mutant: one small change of a source file that a good test notices. */
export interface Mutant {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The characters from `start` to `end` become `by`. */
  readonly start: number;
  readonly end: number;
  readonly by: string;
  /** The kind of change, such as `EqualityOperator`. */
  readonly operator: string;
  /** Its name in the switched text of its file. */
  readonly id?: string;
}

/** The name in a switched text, to be replaced by one that no test can know. */
export const switchName = "__stryker__";

/** A part of a source file that runs as a whole, and where to note that it ran. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  /** The changed lines in it. */
  readonly lines: readonly number[];
  /** Where `before` and `after` stand; `@` in them is the call that notes a run. */
  readonly first: number;
  readonly last: number;
  readonly before: string;
  readonly after: string;
}

/** What can be mutated in one source file. */
export interface MutableFile {
  readonly path: string;
  readonly text: string;
  readonly mutants: readonly Mutant[];
  readonly marks: readonly Mark[];
  /** The text with all mutants, of which `activeMutant` of the global object `switchName` turns one on. */
  readonly switched?: string;
  /** Where a definition of the call can stand in a Python file, as a statement or as a line; default its end. */
  readonly definition?: { readonly at: number; readonly isLine: boolean };
}

export interface SourceLines {
  readonly path: string;
  readonly text: string;
  /** Lines to mutate, from 1. */
  readonly lines: readonly number[];
}

export function mutatedText(text: string, { start, end, by }: Mutant): string {
  return `${text.slice(0, start)}${by}${text.slice(end)}`;
}

/** The marks that run when a mutant does: the innermost one around it, else those in it; empty where none is known. */
export function marksOf({ marks }: Pick<MutableFile, "marks">, { start, end }: Mutant): readonly number[] {
  const all = marks.map((mark, index) => ({ ...mark, index }));
  const around = all.filter((mark) => mark.start <= start && end <= mark.end);
  const inner = around.toSorted((one, other) => one.end - one.start - (other.end - other.start))[0];
  if (inner !== undefined) return [inner.index];
  return all.filter((mark) => start <= mark.start && mark.end <= end).map(({ index }) => index);
}

/** The file with a call at each mark. @param call the call for the mark with an index */
export function markedText({ text, marks }: MutableFile, call: (index: number) => string): string {
  const placed = marks.flatMap((mark, index) => [
    { at: mark.first, order: mark.start - mark.end, text: mark.before.replace("@", () => call(index)) },
    // The end of an inner mark comes before the end of an outer one.
    { at: mark.last, order: mark.end - mark.start, text: mark.after },
  ]);
  let result = "";
  let done = 0;
  for (const one of placed.toSorted((a, b) => a.at - b.at || a.order - b.order)) {
    result += text.slice(done, one.at) + one.text;
    done = one.at;
  }
  return result + text.slice(done);
}
