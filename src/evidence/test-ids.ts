import type { TestResult } from "./test-result.ts";

/** Joins file, suites and title to a test id. */
export function testId(file: string, path: readonly string[]): string {
  return [file, ...path].join("::");
}

/** Numbers tests of equal id `#2`, `#3` … in report order; skips a number that a title already ends with. */
export function numberDuplicates(tests: readonly TestResult[]): readonly TestResult[] {
  const own = new Set(tests.map(({ id }) => id));
  const seen = new Map<string, number>();
  return tests.map((test) => {
    let count = (seen.get(test.id) ?? 0) + 1;
    while (count > 1 && own.has(`${test.id}#${count}`)) count += 1;
    seen.set(test.id, count);
    return count === 1 ? test : { ...test, id: `${test.id}#${count}` };
  });
}

/** The file of a test id. */
export function fileOfTest(id: string): string {
  return id.split("::", 1)[0] ?? id;
}

/** The title of a test id, without the number of a duplicate. */
export function titleOfTest(id: string): string {
  return (
    id
      .replace(/(?<=\S)#\d+$/u, "")
      .split("::")
      .at(-1) ?? id
  );
}
