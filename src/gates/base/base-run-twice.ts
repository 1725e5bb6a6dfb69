/** Two runs of a base commit as one: what failed in either of them is no measure for a change (CORE-29). */
import { hasResult, type Suite } from "../suite/suite.ts";
import type { TestResult } from "../../evidence/test-result.ts";

/**
 * @param again the second run of the same commit
 * @returns the first run with the failures of the second; tests that passed in only one of them are `wavering`
 */
export function steadyBase(first: Suite, again: Suite): Suite {
  if (!hasResult(again)) return { ...first, isSilent: true };
  const second = new Map(again.report.tests.map((test) => [test.id, test]));
  const wavering = first.report.tests.filter((test) => passes(test) !== passes(second.get(test.id)));
  if (wavering.length === 0) return first;
  const ids = new Set(wavering.map(({ id }) => id));
  const known = new Set(first.report.loadErrors.map(({ file }) => file));
  const tests = first.report.tests.flatMap((test) => {
    const failed = ids.has(test.id) && passes(test) ? second.get(test.id) : test;
    return failed === undefined ? [] : [failed];
  });
  return {
    ...first,
    report: {
      ...first.report,
      tests,
      loadErrors: [
        ...first.report.loadErrors,
        ...again.report.loadErrors.filter(({ file }) => !known.has(file)),
      ],
      problems: [...first.report.problems, ...again.report.problems],
    },
    exitCode: first.exitCode === 0 ? again.exitCode : first.exitCode,
    wavering: [...ids],
    isRestless: wavering.some((test) => isUnfinished(test) || isUnfinished(second.get(test.id))),
  };
}

function isUnfinished(test: TestResult | undefined): boolean {
  return test === undefined || test.status === "pending";
}

function passes(test: TestResult | undefined): boolean {
  return test?.status === "passed";
}
