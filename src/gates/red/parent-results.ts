/** Combines the results of a merge's parents into one suite: a test that passed on one of them must pass again. */
import { fileOfTest } from "../../evidence/test-ids.ts";
import type { TestResult } from "../../evidence/test-result.ts";
import { noTests, type Suite } from "../suite/suite.ts";

/** @param now the run to compare with them */
export function resultsOfParents(suites: readonly Suite[], now: Suite): Suite {
  const tests = new Map<string, TestResult>();
  for (const test of suites.flatMap(({ report }) => report.tests))
    if (tests.get(test.id)?.status !== "passed") tests.set(test.id, test);
  const loadErrors = suites.flatMap(({ report }) => report.loadErrors);
  // A file that did not load has no known tests; one that fails now was no better before.
  const unloaded = new Set(loadErrors.map(({ file }) => file));
  for (const test of now.report.tests)
    if (!tests.has(test.id) && unloaded.has(fileOfTest(test.id)))
      tests.set(test.id, { ...test, status: "failed" });
  return {
    report: {
      report: suites.every(({ report }) => report.report),
      tests: [...tests.values()],
      loadErrors,
      problems: suites.flatMap(({ report }) => report.problems),
    },
    exitCode: suites.find(({ exitCode }) => exitCode !== 0)?.exitCode ?? noTests.exitCode,
    timedOut: suites.some(({ timedOut }) => timedOut),
    environment: suites.find(({ environment }) => environment !== null)?.environment ?? null,
  };
}
