import { describe, expect, test } from "vitest";
import { verifies } from "../../test/verifies.ts";
import { runFixture } from "./fixtures/run-fixture.ts";
import { type JudgedRun, judgeRun } from "./judge.ts";
import { nodeTest } from "./runners/node-test.ts";
import type { TestReport, TestResult } from "./test-result.ts";

verifies(
  "CORE-15",
  "A real run passes only when exit code, report and required tests agree, and the reason names the one that is wrong",
  async () => {
    const run = await runFixture(nodeTest, "node-test", ["pass.test.js", "skip.test.js"]);
    const required = ["pass.test.js::adds", "pass.test.js::same#2"];
    const right = { ...run, required };
    expect(judgeRun(right)).toEqual({ verdict: "pass", reasons: [], wrong: [], earlyExit: false });

    const wrongCode = judgeRun({ ...right, exitCode: 7 });
    expect(wrongCode).toMatchObject({ verdict: "inconclusive", wrong: ["exit code"] });
    expect(wrongCode.reasons).toEqual(["exit code: it is 7, not 0"]);

    const report = nodeTest.parse({
      exitCode: 0,
      stdout: run.stdout,
      stderr: "",
      report: null,
      project: "/",
      files: [],
    });
    const noReport = judgeRun({ ...right, report });
    expect(noReport).toMatchObject({ verdict: "inconclusive", wrong: ["report"], earlyExit: true });
    expect(noReport.reasons).toEqual(["report: the runner left no complete, readable report (exit code 0)"]);

    const missing = judgeRun({ ...right, required: [...required, "pass.test.js::subtracts"] });
    expect(missing).toMatchObject({ verdict: "fail", wrong: ["required tests"] });
    expect(missing.reasons).toEqual(["required tests: 1 not in the report: pass.test.js::subtracts"]);

    const skipped = judgeRun({ ...right, required: [...required, "skip.test.js::is skipped"] });
    expect(skipped).toMatchObject({ verdict: "fail", wrong: ["required tests"] });

    for (const status of ["failed", "pending"] as const) {
      const other: TestResult = { id: "x.test.js::x", status, kind: "crash", message: "", frames: [] };
      const judged = judgeRun({ ...right, report: { ...run.report, tests: [...run.report.tests, other] } });
      expect(judged).toMatchObject({ wrong: ["other tests"] });
      expect(judged.verdict).not.toBe("pass");
    }
  },
);

const passed: TestResult = { id: "a::a", status: "passed", kind: null, message: "", frames: [] };
const failed: TestResult = { id: "a::b", status: "failed", kind: "assertion", message: "1 != 2", frames: [] };
const clean: TestReport = { report: true, tests: [passed], loadErrors: [], problems: [] };
const right: JudgedRun = { report: clean, exitCode: 0, timedOut: false, required: [] };

describe("a run that cannot be judged is inconclusive", () => {
  test.each([
    [
      "a run over its deadline, even with a failed test",
      { timedOut: true, report: { ...clean, tests: [failed] } },
      "deadline",
    ],
    ["a lost report", { report: { ...clean, report: false } }, "report"],
    ["a runner ended by a signal", { exitCode: null }, "exit code"],
    ["no test at all", { report: { ...clean, tests: [] } }, "other tests"],
    [
      "tests that were all skipped",
      { report: { ...clean, tests: [{ ...passed, status: "skipped" as const }] } },
      "other tests",
    ],
    ["a file without a test", problem("no_tests"), "other tests"],
    ["a process that ended early", problem("early_exit"), "other tests"],
    ["a killed worker", problem("killed"), "other tests"],
    ["a file that the report does not mention", problem("tests_not_executed"), "other tests"],
  ])("%s", (_name, change, wrong) => {
    const judged = judgeRun({ ...right, ...change });
    expect(judged).toMatchObject({ verdict: "inconclusive", wrong: expect.arrayContaining([wrong]) });
  });
});

describe("a failed test is a failure", () => {
  test.each([
    ["a failed test", { report: { ...clean, tests: [passed, failed] }, exitCode: 1 }],
    [
      "a file that does not load",
      { report: { ...clean, loadErrors: [{ file: "a", message: "no module" }] }, exitCode: 1 },
    ],
    ["an unhandled rejection", problem("unhandled")],
    ["a test marked .only", problem("only")],
    ["a test without assertion", problem("no_assertion")],
    ["a failed hook", problem("hook")],
  ])("%s", (_name, change) => {
    const judged = judgeRun({ ...right, ...change });
    expect(judged.verdict).toBe("fail");
  });

  test("a certain failure outweighs a doubt", () => {
    const report = { ...problem("killed").report, tests: [failed] };
    const judged = judgeRun({ report, exitCode: 1, timedOut: false, required: ["a::c"] });
    expect(judged).toMatchObject({ verdict: "fail", earlyExit: true });
  });

  test("a required test that an early exit skipped is a doubt, not a failure", () => {
    const judged = judgeRun({
      ...problem("early_exit"),
      exitCode: 0,
      timedOut: false,
      required: ["a::a", "a::c"],
    });
    expect(judged).toMatchObject({
      verdict: "inconclusive",
      wrong: ["required tests", "other tests"],
      earlyExit: true,
    });
  });
});

function problem(code: TestReport["problems"][number]["code"]): { readonly report: TestReport } {
  return { report: { ...clean, problems: [{ code, file: "a", message: "" }] } };
}
