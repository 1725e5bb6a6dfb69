/** Finds old tests under a new name: the same text in another suite, with another title or in a moved file. Pure. */
import { fileOfTest, titleOfTest } from "../../evidence/test-ids.ts";
import type { Suite } from "./suite.ts";
import type { TestChange } from "./weakened-tests.ts";

/** Old id -> the only new id with the same text. */
export type Renamed = ReadonlyMap<string, string>;

/** @param moved old path -> new path of test files with the same text */
export function renamedTests(
  changes: readonly TestChange[],
  before: Suite,
  after: Suite,
  moved: ReadonlyMap<string, string> = new Map(),
): Renamed {
  const idsOf = ({ report }: Suite) => new Set(report.tests.map(({ id }) => id));
  const [old, now] = [idsOf(before), idsOf(after)];
  const files = new Set(changes.map(({ path }) => path));
  const fresh = [...now].filter((id) => !old.has(id));
  const found = new Map<string, string>();
  for (const id of old) {
    const file = fileOfTest(id);
    const movedId = `${moved.get(file) ?? file}${id.slice(file.length)}`;
    if (movedId !== id && now.has(movedId) && !old.has(movedId)) found.set(id, movedId);
    if (now.has(id) || !files.has(file)) continue;
    const title = titleNow(changes, file, titleOfTest(id));
    const same = fresh.filter((other) => fileOfTest(other) === file && titleOfTest(other) === title);
    const [only] = same;
    if (only !== undefined && same.length === 1) found.set(id, only);
  }
  return found;
}

/** Null where the text changed. */
function titleNow(changes: readonly TestChange[], file: string, title: string): string | null {
  const change = changes.find((one) => one.path === file && one.title === title);
  return change === undefined ? title : (change.to ?? null);
}

/** The suite with the current ids of its tests. */
export function withNewNames(suite: Suite, renamed: Renamed): Suite {
  if (renamed.size === 0) return suite;
  const tests = suite.report.tests.map((test) => ({ ...test, id: renamed.get(test.id) ?? test.id }));
  return { ...suite, report: { ...suite.report, tests } };
}
