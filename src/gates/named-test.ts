/** Which executed test somebody means who names it in his own words: by its id, its title, or the path of its suites. Pure. */

/** The names that none of these tests has. */
export function unknownTests(names: readonly string[], ids: readonly string[]): readonly string[] {
  const known = new Set(ids.flatMap(namesOf));
  return names.filter((name) => !known.has(plain(name)));
}

/** The id, and what is left of it without the file, without a suite, without the title's own marks. */
function namesOf(id: string): readonly string[] {
  const parts = id.replace(/(?<=\S)#\d+$/u, "").split("::");
  const tails = parts.map((_part, at) => parts.slice(at));
  return [id, ...tails.flatMap((tail) => separators.map((between) => tail.join(between)))].flatMap((name) => [
    plain(name),
    plain(withoutCase(name)),
  ]);
}

/** As runners print a test below its suites. */
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
