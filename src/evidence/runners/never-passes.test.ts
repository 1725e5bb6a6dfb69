/** Runs that runners report as successful or omit, and their verdicts: two promises, each with two runners. */
import { expect } from "vitest";
import { verifies } from "../../../test/verifies.ts";
import { about, type FixtureRun, runFixture } from "../fixtures/run-fixture.ts";
import { judgeRun } from "../judge.ts";
import { jest } from "./jest.ts";
import { mocha } from "./mocha.ts";
import { nodeTest } from "./node-test.ts";
import { vitest } from "./vitest.ts";

/** The verdict about one file as if the runner had ended well, with its reasons. */
function judged(run: FixtureRun, name: string, required: readonly string[] = []): string {
  const report = about(`${name}.test.js`, run.report);
  const { verdict, reasons } = judgeRun({ ...run, report, exitCode: 0, required });
  return `${verdict}: ${reasons.map((reason) => reason.split("\n")[0]).join("; ")}`;
}

verifies(
  "CORE-18",
  "vitest: killed worker, rejection, `.only`, no assertion; jest: no report, a suite that does not load, a todo",
  async () => {
    const files = (...names: string[]) => names.map((name) => `${name}.test.js`);
    const first = await runFixture(vitest, "vitest", files("killed", "unhandled", "only", "leniency"));
    expect([
      judged(first, "killed"),
      judged(first, "unhandled"),
      judged(first, "only"),
      judged(first, "leniency"),
    ]).toEqual([
      expect.stringMatching(
        /^inconclusive: .*1 never finished: killed\.test\.js::kills its process.*killed: /,
      ),
      expect.stringMatching(/^fail: .*unhandled: unhandled\.test\.js: too late/),
      expect.stringMatching(/^fail: .*only: only\.test\.js: /),
      expect.stringMatching(/^fail: .*no_assertion: leniency\.test\.js: "asserts nothing" asserts nothing/),
    ]);

    const early = await runFixture(jest, "jest", files("early"));
    expect(early.exitCode).toBe(0);
    expect(judgeRun({ ...early, required: [] })).toEqual({
      verdict: "inconclusive",
      reasons: ["report: the runner left no complete, readable report (exit code 0)"],
      wrong: ["report"],
      earlyExit: true,
    });
    expect(early.report.problems).toEqual([
      { code: "early_exit", file: "early.test.js", message: "the process ended before the tests did" },
    ]);

    const second = await runFixture(jest, "jest", files("load", "skip"));
    expect([
      judged(second, "load"),
      judged(second, "skip"),
      judged(second, "skip", ["skip.test.js::is to do"]),
    ]).toEqual([
      expect.stringMatching(
        /^fail: .*load\.test\.js does not load: Cannot find module '\.\/src\/nowhere\.js'/,
      ),
      "inconclusive: other tests: the run executed no test",
      expect.stringMatching(/^fail: required tests: 1 skipped or todo: skip\.test\.js::is to do/),
    ]);
  },
);

verifies(
  "CORE-19",
  "mocha: load error, no tests, rejection; node:test: a file that is its own passed test, one without tests, a hang",
  async () => {
    const loud = await runFixture(mocha, "mocha", ["load.test.js", "unhandled.test.js"]);
    const quiet = await runFixture(mocha, "mocha", ["empty.test.js"]);
    expect([
      loud.exitCode,
      quiet.exitCode,
      judged(loud, "load"),
      judged(quiet, "empty"),
      judged(loud, "unhandled"),
    ]).toEqual([
      1,
      0,
      expect.stringMatching(/^fail: .*load\.test\.js does not load: Cannot find module /),
      expect.stringMatching(/^inconclusive: .*no_tests: empty\.test\.js/),
      expect.stringMatching(/^fail: .*unhandled: unhandled\.test\.js: too late/),
    ]);

    const node = await runFixture(nodeTest, "node-test", ["early.test.js", "empty.test.js"]);
    expect([node.exitCode, node.report.tests, judged(node, "early"), judged(node, "empty")]).toEqual([
      0,
      [],
      expect.stringMatching(/^inconclusive: .*no_tests: early\.test\.js/),
      expect.stringMatching(/^inconclusive: .*no_tests: empty\.test\.js/),
    ]);
    const hang = await runFixture(nodeTest, "node-test", ["hang/hang.test.js"], { timeoutMs: 1500 });
    const { verdict, reasons } = judgeRun({ ...hang, required: [] });
    expect([hang.timedOut, verdict, reasons[0]]).toEqual([
      true,
      "inconclusive",
      // From Node 24 on the test's own limit ends it first.
      expect.stringMatching(
        /^deadline: the run did not end in time(; unfinished: hang\/hang\.test\.js::waits for ever)?$/u,
      ),
    ]);
  },
);
