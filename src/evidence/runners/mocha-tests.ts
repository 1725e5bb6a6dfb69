/** The tests of a mocha report: the announced tests, their results, and the hooks that prevented them. */
import { classify } from "../classify.ts";
import { projectFrames, projectPath } from "../project-path.ts";
import { testId } from "../test-ids.ts";
import type { FailureKind, TestProblem, TestResult } from "../test-result.ts";
import type { MochaError, MochaEvent, MochaHook, MochaTest } from "./mocha-events.ts";
import type { Lines } from "./report-lines.ts";

export interface MochaReport extends Lines<MochaEvent> {
  readonly project: string;
  /** mocha's working folder. */
  readonly folder: string;
  /** The requested test files; others are helpers named by the configuration. */
  readonly files: readonly string[];
}

export function readTests({ events, ended, project, folder, files }: MochaReport): {
  readonly tests: readonly TestResult[];
  readonly problems: readonly TestProblem[];
} {
  const announced = events.filter((event) => event.type === "test");
  const hooks = events.filter((event) => event.type === "hook");
  const isSelected = events.some(({ type }) => type === "only");
  const isOver = ended || events.some(({ type }) => type === "exit");
  const results = resultsOf(events);
  const unreported = announced.filter(({ test }) => !results.has(test));
  const tests = announced.map((test): TestResult => {
    const id = testId(inside(test.file, project), test.path);
    const result = results.get(test.test);
    if (result?.error != null) return failed(id, result.error, { project, folder });
    if (result !== undefined) return plain(id, result.state);
    const hook = hooks.find((one) => isUnder(test, one));
    if (hook !== undefined) return { ...failed(id, hook.error, { project, folder }), kind: "hook" };
    if (test.state !== "run" || isSelected) return plain(id, test.state === "todo" ? "todo" : "skipped");
    return pending(id, isOver);
  });
  return {
    tests,
    problems: [
      ...empty(events, announced, project).filter(({ file }) => files.includes(file ?? "")),
      ...hooks
        .filter((hook) => !unreported.some((test) => isUnder(test, hook)))
        .map((hook) => late(hook, project)),
    ],
  };
}

/** A test that failed once has failed, whatever the result of a later attempt. */
function resultsOf(events: readonly MochaEvent[]) {
  const results = new Map<number, Extract<MochaEvent, { type: "result" }>>();
  for (const event of events) {
    if (event.type === "result" && results.get(event.test)?.state !== "failed")
      results.set(event.test, event);
  }
  return results;
}

/** Whether a hook wraps a test: after it fails, mocha skips the rest of its suite. A root hook stops all tests. */
function isUnder(test: MochaTest, hook: MochaHook): boolean {
  const isHere = hook.path.length === 0 || test.file === hook.file;
  return isHere && hook.path.every((name, depth) => test.path[depth] === name);
}

function inside(file: string | null, project: string): string {
  return file === null ? "" : (projectPath(file, project) ?? file);
}

function plain(id: string, status: TestResult["status"]): TestResult {
  return { id, status, kind: null, message: "", frames: [] };
}

function pending(id: string, isOver: boolean): TestResult {
  const message = isOver
    ? "announced, but the process ended before it did"
    : "had not finished when the run was stopped";
  return { id, status: "pending", kind: isOver ? "crash" : "timeout", message, frames: [] };
}

function failed(
  id: string,
  error: MochaError,
  { project, folder }: Pick<MochaReport, "project" | "folder">,
): TestResult {
  const frames = [...projectFrames(unshortened(error.stack, folder), project)];
  return { id, status: "failed", kind: kindOf(error), message: messageOf(error), frames };
}

/** mocha removes its working folder from stack frames, except from URLs. */
function unshortened(stack: string, folder: string): string {
  const relative = /^(\s+at (?:async )?(?:[^()]*\()?)(?![/<]|[a-z]+:|[A-Za-z]:[\\/])([^()]+:\d+:\d+\)?)$/gm;
  return stack.replace(relative, (_line, before: string, place: string) => `${before}${folder}/${place}`);
}

function kindOf(error: MochaError): FailureKind {
  // Before version 6 the error has no code.
  const isTimeout = error.code === "ERR_MOCHA_TIMEOUT" || /^timeout of \d+ms exceeded/iu.test(error.message);
  return isTimeout ? "timeout" : classify({ ...error, message: messageOf(error) });
}

/** mocha wraps a thrown string in its own message. */
function messageOf({ message }: MochaError): string {
  return /^the string "(.*)" was thrown, throw an Error :\)$/s.exec(message)?.[1] ?? message;
}

export function describeError(error: MochaError): string {
  return error.name === "Error" || error.name === "" ? error.message : `${error.name}: ${error.message}`;
}

/** Files that loaded and announced no test. */
function empty(
  events: readonly MochaEvent[],
  announced: readonly MochaTest[],
  project: string,
): readonly TestProblem[] {
  const full = new Set(announced.map(({ file }) => file));
  return events.flatMap((event) =>
    event.type === "file" && !full.has(event.file)
      ? [{ code: "no_tests" as const, file: inside(event.file, project), message: "the file holds no test" }]
      : [],
  );
}

function late(hook: MochaHook, project: string): TestProblem {
  const suite = hook.path.length === 0 ? "" : `${hook.path.join(" > ")}: `;
  const file = hook.file === null ? null : inside(hook.file, project);
  return { code: "hook", file, message: `${suite}${hook.title}: ${hook.error.message}` };
}
