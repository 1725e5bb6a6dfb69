/** Mettle's reporter for mocha, besides its `spec` for people; see mocha-load.mjs. It decides nothing. */
import { Mocha, now, numberOf, pathOf, stateOf, thrown, write } from "./mocha-load.mjs";

class MettleReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.on("test", (test) => (now.file = test.file ?? null));
    runner.on("pass", (test) => result(test, "passed"));
    runner.on("pending", (test) => result(test, stateOf(test) === "todo" ? "todo" : "skipped"));
    runner.on("retry", (test, error) => result(test, "failed", error));
    runner.on("fail", (runnable, error) => failed(runnable, error));
    runner.on("end", () => {
      now.ended = true;
      write({ type: "end" });
      // A file that did not load is a failure, and any number of failures is exit code 1, as with other runners.
      runner.failures = Math.min(1, runner.failures + now.failedToLoad);
    });
  }
}
// Older versions of mocha use the result of `require`.
export { MettleReporter as default, MettleReporter as "module.exports" };

function result(test, state, error = null) {
  write({ type: "result", test: numberOf(test), state, error: error === null ? null : thrown(error) });
}

function failed(runnable, error) {
  if (runnable.type === "test") return result(runnable, "failed", error);
  const file = runnable.file ?? runnable.parent?.file ?? runnable.ctx?.currentTest?.file ?? now.file;
  if (runnable.type !== "hook") return write({ type: "unhandled", file, error: thrown(error) });
  const { title, parent } = runnable;
  return write({ type: "hook", file, path: pathOf(parent), title, error: thrown(error) });
}
