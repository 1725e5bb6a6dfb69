/** Reruns tests that failed by an error while the planned unit throws its marker, and returns those that reached it. */
import { fileOfTest } from "../evidence/test-ids.ts";
import type { TestResult } from "../evidence/test-result.ts";
import { lackingNames } from "../gates/red/reach.ts";
import type { Answer } from "../gates/red/reach-script.ts";
import { newId } from "../lib/ids.ts";
import type { Checkout } from "./checkout/checkout.ts";
import { rewriteFiles, textsIn } from "./new-tests/rewritten-unit.ts";
import type { SuiteRun } from "./setting.ts";
import { isScript } from "../source/syntax.ts";

export interface ReachRequest {
  /** A checkout that is not used afterwards. */
  readonly checkout: Checkout;
  readonly unit: readonly string[];
  /** Files that re-export the unit, such as a package's index. */
  readonly reexporting: readonly string[];
  readonly doubtful: readonly TestResult[];
  run(files: readonly string[]): Promise<SuiteRun>;
}

export async function reachedBy({
  checkout,
  unit,
  reexporting,
  doubtful,
  run,
}: ReachRequest): Promise<ReadonlySet<string>> {
  if (doubtful.length === 0) return new Set();
  const mark = `(${newId(16)})`;
  const ids = new Set(doubtful.map(({ id }) => id));
  const texts = await textsIn(checkout, [...unit, ...reexporting]);
  const lacking = lackingNames(doubtful.map(({ message }) => message));
  const isWhole = (path: string) => unit.includes(path);
  const reachedIn = async (some: readonly string[], answer: Answer): Promise<readonly string[]> => {
    const rewritten = await rewriteFiles(checkout, texts, { answer, isWhole, lacking });
    if (rewritten.size === 0) return [];
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
