/** Removes the folders of one run from a report: a test whose title contains a path is the same test in every checkout. */
import type { TestReport } from "../../evidence/test-result.ts";
import { numberDuplicates } from "../../evidence/test-ids.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { withoutCheckoutPath, type RunFolders } from "./start-runner.ts";

export function withoutRunPaths(report: TestReport, checkout: Checkout, place: RunFolders): TestReport {
  const message = <Text extends { readonly message: string }>(one: Text): Text => ({
    ...one,
    message: withoutCheckoutPath(one.message, checkout),
  });
  const names = pathNames(checkout, place);
  const id = (text: string) =>
    names.reduce((name, [path, word]) => name.replaceAll(path, word), withoutCheckoutPath(text, checkout));
  const { tests, loadErrors, problems } = report;
  return {
    ...report,
    tests: numberDuplicates(tests.map((test) => ({ ...message(test), id: id(test.id) }))),
    loadErrors: loadErrors.map(message),
    problems: problems.map((problem) => ({ ...problem, message: id(problem.message) })),
  };
}

/** The folders of the run, inner ones first, with their replacements; go turns the parts of a path into suites. */
function pathNames(
  checkout: Checkout,
  place: RunFolders,
): readonly (readonly [path: string, word: string])[] {
  const folders = [
    [place.temp, "<temporary files>"],
    [place.home, "<home>"],
    [place.cache, "<cache>"],
    [place.folder, "<run>"],
    [checkout.path, "."],
  ] as const;
  return folders.flatMap(([path, word]) => [
    [path, word],
    [path.replaceAll("/", "::"), word],
  ]);
}
