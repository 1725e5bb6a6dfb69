/** Reads which tests executed which marks. */
import * as z from "zod";
import { fileOfTest, titleOfTest } from "../../evidence/test-ids.ts";
import { parseJson } from "../../lib/json.ts";

const Note = z.tuple([
  z.number(),
  z.string().nullable(),
  z.string().nullable(),
  z.union([z.number(), z.string()]),
]);

export interface Execution {
  /** Test files that executed the mark, with the names of their tests; null: outside of a test, or unknown. */
  readonly tests: readonly { readonly file: string; readonly name: string | null }[];
  /** It ran outside of a known test file: any test may have executed it. */
  readonly isAnywhere: boolean;
}

/** Mark -> its executions; a mark without an entry was not executed. */
export type Notes = ReadonlyMap<number, Execution>;

/** Null where a line is no note: code under test may write to the file. */
export function readNotes(text: string): Notes | null {
  const lines = text.split("\n").filter((line) => line !== "");
  const parsed = lines.map((line) => Note.safeParse(parseJson(line)));
  const notes = parsed.flatMap((one) => (one.success ? [one.data] : []));
  if (notes.length < lines.length) return null;
  // What ran before its test file was known is noted again with it.
  const known = new Set(
    notes.flatMap(([mark, file, , place]) => (file === null ? [] : [`${mark} ${place}`])),
  );
  const found = new Map<number, Execution>();
  for (const [mark, file, name, place] of notes) {
    const { tests, isAnywhere } = found.get(mark) ?? { tests: [], isAnywhere: false };
    if (file !== null) found.set(mark, { tests: [...tests, { file, name }], isAnywhere });
    else found.set(mark, { tests, isAnywhere: isAnywhere || !known.has(`${mark} ${place}`) });
  }
  return found;
}

/** Whether a test may have executed the mark. Runners join suites and title in different ways, so the title decides. */
export function mayExecute({ tests, isAnywhere }: Execution, id: string): boolean {
  const title = titleOfTest(id).replace(/\[.*\]$/su, "");
  return (
    isAnywhere ||
    tests.some(({ file, name }) => file === fileOfTest(id) && (name === null || name.endsWith(title)))
  );
}

/** Whether some test of a file may have executed the mark. */
export function mayRunIn({ tests, isAnywhere }: Execution, file: string): boolean {
  return isAnywhere || tests.some((one) => one.file === file);
}

/** Whether it ran outside of tests, such as while its module was loaded. */
export function isAtLoad({ tests, isAnywhere }: Execution): boolean {
  return isAnywhere || tests.some(({ name }) => name === null);
}
