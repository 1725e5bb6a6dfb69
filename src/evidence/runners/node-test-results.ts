import { join } from "node:path";
import { classify } from "../classify.ts";
import { projectFrames, projectPath } from "../project-path.ts";
import { testId } from "../test-ids.ts";
import type { FailureKind, TestProblem, TestReport, TestResult } from "../test-result.ts";
import type {
  FailEvent,
  NodeTestFailure,
  FileEvents,
  NodeTestEvent,
  ResultEvent,
} from "./node-test-events.ts";

/** A reported test or suite with the names of its parents. */
interface Entry {
  readonly path: readonly string[];
  readonly event: ResultEvent;
}

/**
 * Reads the events of one test file. node adds a pseudo test for the whole file, which is never a test here: a passed one
 * means a file without tests, a failed one a file that did not load or did not end well.
 */
export function resultsOfFile(
  { file, folder, events }: FileEvents,
  project: string,
  ended: boolean,
): Omit<TestReport, "report"> {
  const own = projectPath(join(project, file), folder);
  const isWhole = (event: NodeTestEvent) =>
    event.type !== "diagnostic" && event.nesting === 0 && projectPath(event.name, folder) === own;
  const whole = events.find((event): event is ResultEvent => isResult(event) && isWhole(event));
  const inner = events.filter((event) => !isWhole(event));
  const entries = paths(inner);
  const open = unfinished(inner);
  const tests = entries.flatMap((entry) =>
    entry.event.suite ? [] : [result({ entry, entries, file, project })],
  );
  const isUnloaded = whole?.type === "fail" && isLoadError(whole, tests);
  return {
    tests: [...tests, ...open.map((path) => pending(testId(file, path), ended))],
    loadErrors: isUnloaded ? [{ file, message: whyNotLoaded(whole) }] : [],
    problems: [
      ...(ended && !isUnloaded ? endOf({ whole, file, done: tests.length, open: open.length }) : []),
      ...lateHooks(entries, file),
    ],
  };
}

function isResult(event: NodeTestEvent): event is ResultEvent {
  return event.type === "pass" || event.type === "fail";
}

/** node announces a test before its children and reports it after them. */
function paths(events: readonly NodeTestEvent[]): readonly Entry[] {
  const open: string[] = [];
  return events.flatMap((event) => {
    if (event.type === "start") open.splice(event.nesting, Infinity, event.name);
    return isResult(event) ? [{ path: [...open.slice(0, event.nesting), event.name], event }] : [];
  });
}

/** Tests that were announced and never reported. */
function unfinished(events: readonly NodeTestEvent[]): readonly (readonly string[])[] {
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

/** The child test, or the hook of the surrounding suite, that made a test fail; the test itself where neither did. */
function causeOf(entry: Entry, entries: readonly Entry[]): FailEvent {
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

function kindOf(error: NodeTestFailure): FailureKind {
  switch (error.type) {
    case "hookFailed":
      return "hook";
    case "testTimeoutFailure":
    case "cancelledByParent": // its promise never settled, or its parent did not await it
      return "timeout";
    case "testAborted":
      return "crash";
    default:
      return classify(error);
  }
}

/** The file's code threw while it loaded, before or between its tests. */
function isLoadError({ error, stderr }: FailEvent, tests: readonly TestResult[]): boolean {
  return (
    error.signal === null && tests.every(({ status }) => status !== "failed") && /^\w*Error\b/m.test(stderr)
  );
}

/** The first line of node's output that names an error. */
function whyNotLoaded({ stderr, error }: FailEvent): string {
  const line = stderr.split("\n").find((text) => /^\w*Error\b.*:/.test(text));
  return line?.trim() ?? error.message;
}

interface FileEnd {
  readonly whole: ResultEvent | undefined;
  readonly file: string;
  /** Number of reported tests, and of announced tests without a report. */
  readonly done: number;
  readonly open: number;
}

/** The problem at the end of the file's process, if any. */
function endOf({ whole, file, done, open }: FileEnd): readonly TestProblem[] {
  const failure = whole?.type === "fail" ? whole.error : null;
  if (failure !== null && failure.signal !== null) {
    return [{ code: "killed", file, message: `the process was ended by ${failure.signal}` }];
  }
  if (open > 0)
    return [{ code: "early_exit", file, message: `the process ended with unfinished tests: ${open}` }];
  const code = failure === null ? "exit code 0" : `exit code ${failure.exitCode ?? "none"}`;
  if (done === 0 && whole !== undefined) {
    const message = `no test was reported: the file holds none, or its process ended at once (${code})`;
    return [{ code: failure === null ? "no_tests" : "early_exit", file, message }];
  }
  if (failure === null) return [];
  return [{ code: "unhandled", file, message: `the process failed after its tests (${code})` }];
}

/** A failed hook that fails no test. */
function lateHooks(entries: readonly Entry[], file: string): readonly TestProblem[] {
  return entries.flatMap(({ event, path }) => {
    if (event.type === "pass" || !event.suite || event.error.type === "subtestsFailed") return [];
    const blamed = entries.some((other) => isAbove(path, other.path) && other.event.type === "fail");
    return blamed
      ? []
      : [{ code: "hook" as const, file, message: `${path.join(" > ")}: ${event.error.message}` }];
  });
}
