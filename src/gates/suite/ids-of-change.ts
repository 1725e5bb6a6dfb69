/** Finds the tests of a report that a change of a test's text affects. */
import { fileOfTest } from "../../evidence/test-ids.ts";

interface ChangedTest {
  readonly path: string;
  /** Null for the whole file. */
  readonly title: string | null;
}

/** Ids of the tests that a change affects, in the order given. */
export function idsOfChange({ path, title }: ChangedTest, ids: readonly string[]): readonly string[] {
  const own = ids.filter((id) => fileOfTest(id) === path);
  if (title === null) return own;
  const named = own.filter((id) =>
    /^(?:#\d+|\[.*)?$/s.test(afterTitle(id, id.lastIndexOf(`::${title}`), title)),
  );
  // A suite may have the title of a test; the parts of a test have ids below its own.
  if (named.length > 0) return named;
  return own.filter((id) => afterTitle(id, id.indexOf(`::${title}`), title).startsWith("::"));
}

/** The rest of an id after a title; a line break where the id does not hold the title. */
function afterTitle(id: string, at: number, title: string): string {
  return at === -1 ? "\n" : id.slice(at + title.length + 2);
}
