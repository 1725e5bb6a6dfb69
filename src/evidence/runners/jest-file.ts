/** Reads one test file of a jest report: its tests and problems. */
import { noAssertionRan } from "../asserts-nothing.ts";
import { classify } from "../classify.ts";
import { projectFrames, projectPath } from "../project-path.ts";
import { testHasUncountedAssertions } from "./other-assertions.ts";
import { testId } from "../test-ids.ts";
import type { FailureKind, TestProblem, TestReport, TestResult } from "../test-result.ts";
import type { JestFile, JestTest } from "./jest-events.ts";

/** Conditions that jest reports only by the text of an error; pinned by the fixtures of jest.test.ts. */
const jestErrors = {
  empty: /^Your test suite must contain at least one test/,
  ended: /^A jest worker process .*crashed for an unknown reason/,
  killed: /^A jest worker process .*was terminated by another process|^Call retries were exceeded/,
  timedOut: /^Exceeded timeout of /,
};

/** @param text of the file, searched for assertions that jest does not count */
export function readFile(event: JestFile, project: string, text: string): Omit<TestReport, "report"> {
  const isEmpty = (test: JestTest) =>
    assertedNothing(test) && !testHasUncountedAssertions(text, test.path.at(-1) ?? "");
  const file = projectPath(event.file, project) ?? event.file;
  const tests = (event.tests ?? []).map((test) =>
    isEmpty(test) ? bare(testId(file, test.path)) : result(test, testId(file, test.path), project),
  );
  const name = (path: readonly string[]) => `"${path.join(" > ")}"`;
  const whole = event.tests === null ? unloaded(event, file) : { loadErrors: [], problems: [] };
  return {
    tests,
    loadErrors: whole.loadErrors,
    problems: [
      ...whole.problems,
      ...(event.isFocused ? [problem("only", file, "a test or suite is marked .only")] : []),
      ...(event.tests ?? [])
        .filter(isEmpty)
        .map(({ path }) => problem("no_assertion", file, `${name(path)} asserts nothing`)),
      ...event.hooks.map(({ suite, message }) =>
        problem("hook", file, suite === "ROOT_DESCRIBE_BLOCK" ? message : `"${suite}": ${message}`),
      ),
      ...event.unhandled.map(({ message }) => problem("unhandled", file, message)),
    ],
  };
}

function problem(code: TestProblem["code"], file: string, message: string): TestProblem {
  return { code, file, message };
}

/** The file's tests are unknown: it did not load, holds no test, or its process ended. */
function unloaded({ error }: JestFile, file: string): Pick<TestReport, "loadErrors" | "problems"> {
  const message = error?.message ?? "";
  const only = (...problems: TestProblem[]) => ({ loadErrors: [], problems });
  if (error === null || jestErrors.empty.test(message))
    return only(problem("no_tests", file, "the file holds no test"));
  if (jestErrors.ended.test(message))
    return only(problem("early_exit", file, "its process ended before its tests"));
  if (jestErrors.killed.test(message)) return only(problem("killed", file, "its process was killed"));
  const isNamed = error.name === "" || error.name === "Error" || message.startsWith(error.name);
  return { loadErrors: [{ file, message: isNamed ? message : `${error.name}: ${message}` }], problems: [] };
}

/** The test ran, did not fail, and asserted nothing. */
function assertedNothing({ status, error, asserts, failing }: JestTest): boolean {
  return status === "done" && error === null && asserts === 0 && !failing;
}

function bare(id: string): TestResult {
  return { id, status: "failed", kind: "other-throw", message: noAssertionRan, frames: [] };
}

function result(test: JestTest, id: string, project: string): TestResult {
  const plain = (status: TestResult["status"], message = ""): TestResult => ({
    id,
    status,
    kind: null,
    message,
    frames: [],
  });
  if (test.status === "todo") return plain("todo");
  if (test.status === "skip") return plain("skipped");
  const { error } = test;
  if (error !== null && !test.failing) {
    const { message, stack } = error;
    return { id, status: "failed", kind: kindOf(error), message, frames: [...projectFrames(stack, project)] };
  }
  if (test.status !== "done")
    return { id, status: "pending", kind: "crash", message: "announced, but never ran", frames: [] };
  // A pass that depends on an expected failure proves nothing.
  if (test.failing) return plain("todo", "expected to fail (test.failing)");
  return plain("passed");
}

function kindOf(error: NonNullable<JestTest["error"]>): FailureKind {
  if (jestErrors.timedOut.test(error.message)) return "timeout";
  return error.isHook ? "hook" : classify(error);
}
