/** Reruns tests that failed by an error while the planned unit throws its marker, and returns those that reached it. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileOfTest } from "../evidence/test-ids.ts";
import type { TestResult } from "../evidence/test-result.ts";
import { lackingNames, rewrittenUnit } from "../gates/red/reach.ts";
import { newId } from "../lib/ids.ts";
import type { Checkout } from "./checkout/checkout.ts";
import type { SuiteRun } from "./setting.ts";
import { readPlainFile } from "../lib/plain-file.ts";
import { loadParser } from "../source/syntax.ts";

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
  if ((await writeThrowing(request, mark)) === 0) return new Set();
  const files = [...new Set(doubtful.map(({ id }) => fileOfTest(id)))];
  const { suite } = await run(files);
  const ids = new Set(doubtful.map(({ id }) => id));
  const reached = suite.report.tests.filter(({ id, message }) => ids.has(id) && message.includes(mark));
  return new Set(reached.map(({ id }) => id));
}

/** @returns the number of files that throw now */
async function writeThrowing(
  { checkout, unit, reexporting, doubtful }: ReachRequest,
  mark: string,
): Promise<number> {
  const lacking = lackingNames(doubtful.map(({ message }) => message));
  const parse = await loadParser();
  let count = 0;
  for (const path of new Set([...unit, ...reexporting])) {
    const text = await readPlainFile(join(checkout.path, path)); // a planned file that no test needs yet
    if (text === null) continue;
    const whole = unit.includes(path);
    for (const one of rewrittenUnit({ path, text, answer: { how: "throw", mark }, whole, parse }, lacking)) {
      await writeFile(join(checkout.path, one.path), one.content);
      count++;
    }
  }
  return count;
}
