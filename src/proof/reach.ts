/** Reruns tests that failed by an error while the planned unit throws its marker, and returns those that reached it. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileOfTest } from "../evidence/test-ids.ts";
import type { TestResult } from "../evidence/test-result.ts";
import { lackingNames, rewrittenUnit } from "../gates/red/reach.ts";
import type { Answer } from "../gates/red/reach-script.ts";
import { newId } from "../lib/ids.ts";
import type { Checkout } from "./checkout/checkout.ts";
import type { SuiteRun } from "./setting.ts";
import { readPlainFile } from "../lib/plain-file.ts";
import { isScript, loadParser } from "../source/syntax.ts";

export interface ReachRequest {
  /** A checkout that is not used afterwards. */
  readonly checkout: Checkout;
  readonly unit: readonly string[];
  /** Files that re-export the unit, such as a package's index. */
  readonly reexporting: readonly string[];
  readonly doubtful: readonly TestResult[];
  run(files: readonly string[]): Promise<SuiteRun>;
}

export async function reachedBy(request: ReachRequest): Promise<ReadonlySet<string>> {
  const { doubtful, run } = request;
  if (doubtful.length === 0) return new Set();
  const mark = `(${newId(16)})`;
  const ids = new Set(doubtful.map(({ id }) => id));
  const originals = await textsOf(request);
  const reachedIn = async (some: readonly string[], answer: Answer): Promise<readonly string[]> => {
    if ((await writeUnit(request, originals, answer)) === 0) return [];
    const { suite } = await run(some);
    return suite.report.tests
      .filter(({ id, message }) => ids.has(id) && message.includes(mark))
      .map(({ id }) => id);
  };
  const filesOf = (tests: readonly string[]) => [...new Set(tests.map(fileOfTest))];
  const thrown = await reachedIn(filesOf([...ids]), { how: "throw", mark });
  // A test may use what its file got from the unit outside of tests; then that throws where the test uses it.
  const late = filesOf([...ids].filter((id) => !thrown.includes(id))).filter(isScript);
  const names = late.map((path) => path.slice(path.lastIndexOf("/") + 1));
  const later = late.length === 0 ? [] : await reachedIn(late, { how: "late", files: names, mark });
  return new Set([...thrown, ...later]);
}

/** The files of the unit before anything throws; a planned file that no test needs yet is missing. */
async function textsOf({ checkout, unit, reexporting }: ReachRequest): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const path of new Set([...unit, ...reexporting])) {
    const text = await readPlainFile(join(checkout.path, path));
    if (text !== null) texts.set(path, text);
  }
  return texts;
}

/** @returns the number of files that were rewritten */
async function writeUnit(
  { checkout, unit, doubtful }: ReachRequest,
  originals: ReadonlyMap<string, string>,
  answer: Answer,
): Promise<number> {
  const lacking = lackingNames(doubtful.map(({ message }) => message));
  const parse = await loadParser();
  let count = 0;
  for (const [path, text] of originals) {
    const whole = unit.includes(path);
    for (const one of rewrittenUnit({ path, text, answer, whole, parse }, lacking)) {
      await writeFile(join(checkout.path, one.path), one.content);
      count++;
    }
  }
  return count;
}
