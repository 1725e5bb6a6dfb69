import { classify } from "../classify.ts";
import { projectFrames, projectPath } from "../project-path.ts";
import { testId } from "../test-ids.ts";
import type { FailureKind, Problem, TestReport, TestResult } from "../test-result.ts";
import type { Failure, FileEvents, NodeEvent, ResultEvent } from "./node-test-events.ts";

/** A reported test or suite, and the names above it. */
interface Entry {
  readonly path: readonly string[];
  readonly event: ResultEvent;
}

/**
 * Reads the events of one test file. node stands a pseudo test for the whole file beside the tests in it;
 * it is never a test here: passed, it means a file without tests, failed, a file that did not load or end well.
 */
export function readFile(
  { file, events }: FileEvents,
  project: string,
  ended: boolean,
): Omit<TestReport, "report"> {
  const whole = events.find(
    (event): event is ResultEvent => isResult(event) && isWhole(event, file, project),
  );
  const entries = paths(events.filter((event) => !isWhole(event, file, project)));
  const open = unfinished(events.filter((event) => !isWhole(event, file, project)));
  const tests = entries.flatMap((entry) =>
    entry.event.suite ? [] : [result({ entry, entries, file, project })],
  );
  const lost = open.map((path): TestResult => pending(testId(file, path), ended));
  const ending = whole === undefined ? [] : endOf(whole, file, entries.length + open.length);
  return {
    tests: [...tests, ...lost],
    loadErrors:
      whole?.type === "fail" && isLoadError(whole, tests) ? [{ file, message: whyNotLoaded(whole) }] : [],
    problems: [
      ...(whole?.type === "fail" && isLoadError(whole, tests) ? [] : ending),
      ...(whole === undefined && ended && open.length > 0
        ? [
            {
              code: "early_exit" as const,
              file,
              message: `the process ended with ${open.length} tests unfinished`,
            },
          ]
        : []),
      ...lateHooks(entries, file),
    ],
  };
}

function isResult(event: NodeEvent): event is ResultEvent {
  return event.type === "pass" || event.type === "fail";
}

function isWhole(event: NodeEvent, file: string, project: string): boolean {
  return event.type !== "diagnostic" && event.nesting === 0 && projectPath(event.name, project) === file;
}

/** node announces a test before what is in it, and reports it after. */
function paths(events: readonly NodeEvent[]): readonly Entry[] {
  const open: string[] = [];
  return events.flatMap((event) => {
    if (event.type === "start") open.splice(event.nesting, Infinity, event.name);
    return isResult(event) ? [{ path: [...open.slice(0, event.nesting), event.name], event }] : [];
  });
}

/** Tests that were announced and never reported. */
function unfinished(events: readonly NodeEvent[]): readonly (readonly string[])[] {
  const current: string[] = [];
  const waiting: { readonly path: readonly string[] }[] = [];
  for (const event of events) {
    if (event.type === "diagnostic") continue;
    if (event.type === "enqueue" || event.type === "dequeue") {
      current.splice(event.nesting, Infinity, event.name);
      if (event.type === "enqueue") waiting.push({ path: [...current] });
    } else if (event.type !== "start") {
      const found = waiting.findIndex(
        ({ path }) => path.length === event.nesting + 1 && path.at(-1) === event.name,
      );
      if (found >= 0) waiting.splice(found, 1);
    }
  }
  return waiting
    .filter(({ path }) => !waiting.some((other) => isAbove(path, other.path)))
    .map(({ path }) => path);
}

function isAbove(path: readonly string[], other: readonly string[]): boolean {
  return path.length < other.length && path.every((name, index) => other[index] === name);
}

function pending(id: string, ended: boolean): TestResult {
  const message = ended
    ? "announced, but its process ended before it did"
    : "had not finished when the run was stopped";
  return { id, status: "pending", kind: ended ? "crash" : "timeout", message, frames: [] };
}

interface ResultContext {
  readonly entry: Entry;
  readonly entries: readonly Entry[];
  readonly file: string;
  readonly project: string;
}

function result({ entry, entries, file, project }: ResultContext): TestResult {
  const { event, path } = entry;
  const id = testId(file, path);
  if (event.skip) return { id, status: "skipped", kind: null, message: "", frames: [] };
  if (event.todo) return { id, status: "todo", kind: null, message: "", frames: [] };
  if (event.type === "pass") return { id, status: "passed", kind: null, message: "", frames: [] };
  const cause = causeOf(entry, entries);
  return {
    id,
    status: "failed",
    kind: kindOf(cause.error),
    message:
      event.error.message === cause.error.message
        ? cause.error.message
        : `${event.error.message}: ${cause.error.message}`,
    frames: [...projectFrames(cause.error.stack, project)],
  };
}

/** A test that failed only because of a test in it, or of the suite's hook around it, failed for that one's reason. */
function causeOf(entry: Entry, entries: readonly Entry[]): Extract<ResultEvent, { type: "fail" }> {
  const own = entry.event;
  if (own.type === "pass") throw new TypeError("a passed test has no cause");
  const others = entries.filter(({ event }) => event.type === "fail" && !event.todo);
  const found =
    own.error.type === "subtestsFailed"
      ? others.find(({ path, event }) => isAbove(entry.path, path) && !isSum(event))
      : own.error.type === "cancelledByParent"
        ? others.find(({ path, event }) => isAbove(path, entry.path) && isHook(event))
        : undefined;
  return found?.event.type === "fail" ? found.event : own;
}

function isSum(event: ResultEvent): boolean {
  return event.type === "fail" && event.error.type === "subtestsFailed";
}

function isHook(event: ResultEvent): boolean {
  return event.type === "fail" && event.error.type === "hookFailed";
}

function kindOf(error: Failure): FailureKind {
  switch (error.type) {
    case "hookFailed":
      return "hook";
    case "testTimeoutFailure":
    case "cancelledByParent": // its promise never settled, or its parent did not wait for it
      return "timeout";
    case "testAborted":
      return "crash";
    default:
      return classify(error);
  }
}

/** The file's code threw while it was read, before or beside its tests. */
function isLoadError(whole: Extract<ResultEvent, { type: "fail" }>, tests: readonly TestResult[]): boolean {
  return (
    whole.error.signal === null &&
    tests.every(({ status }) => status !== "failed") &&
    whole.stderr.includes("Error")
  );
}

/** The first line of what node printed that names an error. */
function whyNotLoaded({ stderr, error }: Extract<ResultEvent, { type: "fail" }>): string {
  const line = stderr.split("\n").find((text) => /^\s*(?:\w*Error|error)\b.*:/.test(text));
  return line?.trim() ?? error.message;
}

function endOf(whole: ResultEvent, file: string, tests: number): readonly Problem[] {
  if (whole.type === "pass") {
    const message = "reported without any test: it holds none, or its process ended at once with exit 0";
    return tests === 0 ? [{ code: "no_tests", file, message }] : [];
  }
  const { signal, exitCode, message } = whole.error;
  if (signal !== null) return [{ code: "killed", file, message: `the process was ended by ${signal}` }];
  if (exitCode !== null)
    return [{ code: "early_exit", file, message: `the process ended with exit code ${exitCode}` }];
  return [{ code: "interrupted", file, message }];
}

/** A failing hook that is no test's failure. */
function lateHooks(entries: readonly Entry[], file: string): readonly Problem[] {
  return entries.flatMap(({ event, path }) => {
    if (event.type === "pass" || !event.suite || event.error.type === "subtestsFailed") return [];
    const blamed = entries.some((other) => isAbove(path, other.path) && other.event.type === "fail");
    return blamed
      ? []
      : [{ code: "hook" as const, file, message: `${path.join(" > ")}: ${event.error.message}` }];
  });
}
