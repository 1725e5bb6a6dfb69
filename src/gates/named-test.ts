/** Resolves a test name that a person or agent wrote: an id, a title or a path of suites. Pure. */

/** The names that match none of these tests. */
export function unknownTests(names: readonly string[], ids: readonly string[]): readonly string[] {
  const known = new Set(ids.flatMap(namesOf));
  return names.filter((name) => !known.has(plain(name)));
}

/** The names of a test: its id, and the id without its file, suites or parameters. */
function namesOf(id: string): readonly string[] {
  const parts = id.replace(/(?<=\S)#\d+$/u, "").split("::");
  const tails = parts.map((_part, at) => parts.slice(at));
  return [id, ...tails.flatMap((tail) => separators.map((between) => tail.join(between)))].flatMap((name) => [
    plain(name),
    plain(withoutCase(name)),
  ]);
}

/** The separators that runners print between suites and titles. */
const separators = ["::", " > ", " › ", " ", "/", "."];

/** `test_adds[1-2]` is a case of `test_adds`. */
function withoutCase(name: string): string {
  return name.replace(/\[[^\]]*\]$/u, "");
}

function plain(name: string): string {
  return name
    .replace(/^[\s`'"]+|[\s`'"]+$/gu, "")
    .replace(/^(?:[✓✔√]\s*|\.\/)/u, "")
    .replace(/\s+/gu, " ")
    .toLowerCase();
}
