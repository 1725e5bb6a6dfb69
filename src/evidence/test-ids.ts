import type { TestResult } from "./test-result.ts";

/** Joins file, suites and title to the id of a test. */
export function testId(file: string, path: readonly string[]): string {
  return [file, ...path].join("::");
}

/** Gives tests of equal id the endings `#2`, `#3` … in the order of the report; an ending that is a title's own is passed over. */
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

/** The file that an id begins with. */
export function fileOfTest(id: string): string {
  return id.split("::", 1)[0] ?? id;
}

/** The title that an id ends with, without the number of a duplicate. */
export function titleOfTest(id: string): string {
  return (
    id
      .replace(/(?<=\S)#\d+$/u, "")
      .split("::")
      .at(-1) ?? id
  );
}
