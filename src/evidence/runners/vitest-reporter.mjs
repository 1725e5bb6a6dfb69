/**
 * Mettle's reporter for vitest (3 and newer): one JSON document written when the run ends; read by vitest.ts.
 * Plain JavaScript, because vitest itself loads it. It knows no more than it is told and decides nothing.
 */
import { renameSync, writeFileSync } from "node:fs";

const most = 16_384;

export default class MettleReporter {
  onInit(vitest) {
    this.file = vitest.config.outputFile;
  }

  onTestRunEnd(modules, unhandled, reason) {
    const report = {
      version: 1,
      reason,
      unhandled: unhandled.map((error) => ({ ...thrown(error), file: String(error.VITEST_TEST_PATH ?? "") })),
      modules: modules.map((module) => ({
        file: module.moduleId,
        errors: module.errors().map(thrown),
        children: children(module),
      })),
    };
    // Written beside and renamed, so that a report is whole or absent.
    writeFileSync(`${this.file}.part`, JSON.stringify(report));
    renameSync(`${this.file}.part`, this.file);
  }
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
    // A hook that began and did not pass.
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

/** Libraries of assertions throw what was expected beside what was there, or the result of a matcher. */
function isAssertion(error) {
  return ("actual" in error && "expected" in error) || "matcherResult" in error || error.showDiff === true;
}

function cut(value) {
  return value === undefined || value === null ? "" : String(value).slice(0, most);
}
