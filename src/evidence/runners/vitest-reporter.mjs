/**
 * Mettle's reporter for vitest (0.34 and newer): one JSON document, written when the run ends; read by vitest.ts. Plain
 * JavaScript, because vitest loads it. It only passes facts on and decides nothing.
 */
import { readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { limitFor, takeLongest } from "./test-limit.mjs";

const most = 16_384;
const major = majorHere();

export default class MettleReporter {
  onInit(vitest) {
    this.file = vitest.config.outputFile;
    const longest = takeLongest();
    if (longest === null) return;
    // One project alone shares the configuration of the whole.
    const configs = new Set([vitest, ...(vitest.projects ?? [])].map(({ config }) => config));
    for (const config of configs)
      for (const name of ["testTimeout", "hookTimeout"]) config[name] = limitFor(config[name], longest);
  }

  onTestRunEnd(modules, unhandled, reason) {
    const told = modules.map((module) => ({
      file: module.moduleId,
      errors: module.errors().map(thrown),
      children: children(module),
    }));
    this.write(told, unhandled, reason);
  }

  /** Versions before 3 call this one, with their own task objects. */
  onFinished(files = [], unhandled = []) {
    if (major >= 3) return;
    const told = files.map((file) => ({
      file: file.filepath,
      errors: errorsOf(file),
      children: file.tasks.map((task) => ofTask(task, errorsOf(file).length > 0)),
    }));
    this.write(told, unhandled, files.length === 0 ? "interrupted" : "finished");
  }

  write(modules, unhandled, reason) {
    const report = {
      version: 1,
      reason,
      unhandled: unhandled.map((error) => ({ ...thrown(error), file: String(error.VITEST_TEST_PATH ?? "") })),
      modules,
    };
    // Written to a temporary file and renamed, so that a report is complete or missing.
    writeFileSync(`${this.file}.part`, JSON.stringify(report));
    renameSync(`${this.file}.part`, this.file);
  }
}

function majorHere() {
  const manifest = join(dirname(realpathSync(process.argv[1])), "package.json");
  return Number.parseInt(JSON.parse(readFileSync(manifest, "utf8")).version, 10);
}

function errorsOf(task) {
  return (task.result?.errors ?? []).map(thrown);
}

/** @param wasPrevented a surrounding hook failed, so the test's own mode no longer shows that it should run */
function ofTask(task, wasPrevented) {
  const { name, result, mode, tasks, fails } = task;
  const errors = errorsOf(task);
  if (tasks !== undefined)
    return {
      type: "suite",
      name,
      errors,
      children: tasks.map((one) => ofTask(one, wasPrevented || errors.length > 0)),
    };
  const states = { pass: "passed", fail: "failed", skip: "skipped", todo: "skipped" };
  const isSkipped = mode === "skip" || mode === "todo";
  return {
    type: "test",
    name,
    mode: wasPrevented && mode === "skip" ? "run" : mode,
    state: states[result?.state] ?? (isSkipped ? "skipped" : "pending"),
    fails: fails === true,
    retries: result?.retryCount ?? 0,
    hook: Object.values(result?.hooks ?? {}).some((state) => state !== "pass"),
    errors,
  };
}

function children(parent) {
  return [...parent.children].map((child) => (child.type === "suite" ? suite(child) : test(child)));
}

function suite(item) {
  return { type: "suite", name: item.name, errors: item.errors().map(thrown), children: children(item) };
}

function test(item) {
  const result = item.result();
  return {
    type: "test",
    name: item.name,
    mode: item.options.mode ?? "run",
    state: result.state,
    fails: item.options.fails === true,
    retries: item.diagnostic()?.retryCount ?? 0,
    // A hook that started and did not pass.
    hook: Object.values(item.task?.result?.hooks ?? {}).some((state) => state !== "pass"),
    errors: (result.errors ?? []).map(thrown),
  };
}

function thrown(error) {
  return {
    name: isAssertion(error) ? "AssertionError" : cut(error.name),
    code: cut(error.code),
    message: cut(error.message),
    stack: cut(error.stack),
    frames: (error.stacks ?? []).slice(0, 100).map(({ file, line, column }) => ({ file, line, column })),
  };
}

/** Assertion libraries throw an expected and an actual value, or the result of a matcher. */
function isAssertion(error) {
  // Old versions give each error both as strings.
  const isFilled = [error.actual, error.expected].some((value) => value !== "undefined");
  const compares = "actual" in error && "expected" in error && isFilled;
  return compares || "matcherResult" in error || error.showDiff === true;
}

function cut(value) {
  return value === undefined || value === null ? "" : String(value).slice(0, most);
}
