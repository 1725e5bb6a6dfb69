/** Tells which changed files belong to other tests: a large change has many tables that some test does not concern. Pure. */
import { importWord } from "../loaded-files.ts";

/**
 * @param tests path -> text
 * @param sources changed source files, path -> text
 * @returns for each source file the tests that it does not concern: other tests mention it, or a file that mentions it, and
 *   these do not; empty for a file that no test mentions, since it may be loaded by a computed name (PRV-15)
 */
export function testsOfOthers(
  tests: ReadonlyMap<string, string>,
  sources: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly string[]> {
  const named = new Map([...sources.keys()].map((path) => [path, importWord(path).split(/[^\w-]+/u)]));
  const mentions = (text: string, own: string): readonly string[] => {
    const words = new Set(text.match(/[\w-]+/gu) ?? []);
    return [...named].flatMap(([path, parts]) =>
      path !== own && parts.every((part) => words.has(part)) ? [path] : [],
    );
  };
  const nextOf = new Map([...sources].map(([path, text]) => [path, mentions(text, path)]));
  const reached = new Map(
    [...tests].map(([test, text]) => {
      const found = new Set<string>();
      const open = [...mentions(text, test)];
      for (let path = open.pop(); path !== undefined; path = open.pop()) {
        if (found.has(path)) continue;
        found.add(path);
        open.push(...(nextOf.get(path) ?? []));
      }
      return [test, found] as const;
    }),
  );
  return new Map(
    [...sources.keys()].map((path) => {
      const own = [...reached].filter(([, found]) => found.has(path));
      return [
        path,
        own.length === 0 ? [] : [...tests.keys()].filter((test) => !reached.get(test)?.has(path)),
      ];
    }),
  );
}
