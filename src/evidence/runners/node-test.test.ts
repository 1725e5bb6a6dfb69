import { beforeAll, describe, expect, test } from "vitest";
import { inCi, verifies } from "../../../test/verifies.ts";
import { canonical, caseFiles, expected } from "../fixtures/cases.ts";
import { about, cleanPass, judgeHonestRun, runFixture, type FixtureRun } from "../fixtures/run-fixture.ts";
import { judgeRun } from "../judge.ts";
import { nodeTest } from "./node-test.ts";

describe("the eight canonical cases and other failures", () => {
  const extra = ["hooks", "killed", "late-throw", "subtests", "unhandled"].map((name) => `${name}.test.js`);
  let cases: FixtureRun;
  beforeAll(async () => {
    cases = await runFixture(nodeTest, "node-test", [...caseFiles, ...extra], { timeoutMs: 20_000 });
  });

  verifies("CORE-17@node:test", "node:test gives the canonical results of the eight cases", () => {
    const report = { ...cases.report, tests: caseFiles.flatMap((file) => about(file, cases.report).tests) };
    expect(canonical(report)).toEqual(expected);
    expect(cases.exitCode).toBe(1);
  });

  test("the message of a failure excludes node's wrapping", () => {
    expect(about("stub.test.js", cases.report).tests.map(({ message }) => message)).toEqual([
      "Not implemented: stub",
      "Cannot read properties of undefined (reading 'length')",
    ]);
  });

  test("distinguish a file that does not load from a failing test", () => {
    const missing = {
      file: "load.test.js",
      message: expect.stringMatching(/ERR_MODULE_NOT_FOUND.*nowhere\.js/),
    };
    const { loadErrors } = cases.report;
    expect(loadErrors.filter(({ file }) => file !== "late-throw.test.js")).toEqual([missing]);
    // Node 22 reports it as an error outside of any test.
    const late = about("late-throw.test.js", cases.report);
    expect([...late.loadErrors, ...late.problems].map(({ message }) => message).join()).toContain(
      "thrown while loading",
    );
    expect(about("load.test.js", cases.report).tests).toEqual([]);
  });

  test("a failed hook fails the tests that it prevented, and is a problem if it prevented none", () => {
    const hooks = about("hooks.test.js", cases.report);
    expect(hooks.tests.map(({ id, status, kind }) => [id, status, kind])).toEqual([
      ["hooks.test.js::before::is not reached", "failed", "hook"],
      ["hooks.test.js::before each::is not reached", "failed", "hook"],
      ["hooks.test.js::after::passes", "passed", null],
    ]);
    expect(hooks.problems).toEqual([{ code: "hook", file: "hooks.test.js", message: "after: hook" }]);
  });

  test("subtests are separate, and their parent fails for the reason of the first", () => {
    expect(
      about("subtests.test.js", cases.report).tests.map(({ id, status, kind }) => [id, status, kind]),
    ).toEqual([
      ["subtests.test.js::parent::passes", "passed", null],
      ["subtests.test.js::parent::fails", "failed", "assertion"],
      ["subtests.test.js::parent", "failed", "assertion"],
      ["subtests.test.js::throws a string", "failed", "not-implemented"],
      ["subtests.test.js::never settles", "failed", "timeout"],
    ]);
  });

  test("a killed process is a problem and its test is pending", () => {
    const killed = about("killed.test.js", cases.report);
    expect(killed.problems).toEqual([
      { code: "killed", file: "killed.test.js", message: "the process was ended by SIGKILL" },
    ]);
    expect(killed.tests.map(({ id, status, kind }) => [id, status, kind])).toEqual([
      ["killed.test.js::kills its process", "pending", "crash"],
    ]);
  });

  test("a rejection after the tests prevents a pass", () => {
    const file = "unhandled.test.js";
    const report = about(file, cases.report);
    expect([...new Set(report.problems.map(({ code }) => code))]).toEqual(["unhandled"]);
    expect(judgeRun({ ...cases, report, exitCode: 0, required: [] }).verdict).toBe("fail");
  });
});

describe("runs that node itself reports as successful", () => {
  const lying = ["pass", "early", "empty", "midway", "only", "skip"].map((name) => `${name}.test.js`);
  let run: FixtureRun;
  beforeAll(async () => void (run = await runFixture(nodeTest, "node-test", lying)));

  test("end with exit code 0 and are no pass", () => {
    expect(run.exitCode).toBe(0);
    expect(judgeRun({ ...run, required: [] }).verdict).not.toBe("pass");
  });

  test.each([
    ["early.test.js", "no_tests", "inconclusive"],
    ["empty.test.js", "no_tests", "inconclusive"],
    ["midway.test.js", "early_exit", "inconclusive"],
    ["only.test.js", "only", "fail"],
  ])("%s is refused alone, with the reason %s", (file, code, verdict) => {
    const report = about(file, run.report);
    const judged = judgeRun({ ...run, report, required: [] });
    expect(judged.verdict).toBe(verdict);
    expect(judged.reasons.join("\n")).toContain(`${code}: ${file}`);
    expect(judged.earlyExit).toBe(code !== "only");
  });

  test("the passed pseudo test of a file is no test", () => {
    expect(about("early.test.js", run.report).tests).toEqual([]);
    expect(about("empty.test.js", run.report).tests).toEqual([]);
    expect(run.report.tests.filter(({ status }) => status === "passed").map(({ id }) => id)).toEqual([
      "midway.test.js::comes first",
      "only.test.js::is selected",
      "only.test.js::is left out",
      ...expected.filter(({ status }) => status === "passed").map(({ id }) => id),
    ]);
  });

  test("tests that an early exit skipped are pending", () => {
    expect(about("midway.test.js", run.report).tests.map(({ id, status }) => [id, status])).toEqual([
      ["midway.test.js::comes first", "passed"],
      ["midway.test.js::leaves", "pending"],
      ["midway.test.js::comes last", "pending"],
    ]);
  });

  test("shows a person the runner's own output besides the report", () => {
    expect(run.stdout).toContain("✔ adds deep");
  });
});

test("an honest run passes, shuffled or not", async () => {
  const run = await judgeHonestRun(nodeTest, "node-test", expected);
  expect(run.judged).toEqual(cleanPass);
});

inCi(
  "a run that hangs on an open handle ends at the deadline as inconclusive and names the unfinished tests",
  async () => {
    const run = await runFixture(nodeTest, "node-test", ["hang/hang.test.js"], { timeoutMs: 1500 });
    const judged = judgeRun({ ...run, required: [] });
    expect(run.timedOut).toBe(true);
    expect(judged).toMatchObject({ verdict: "inconclusive", earlyExit: false });
    expect(judged.reasons[0]).toMatch(/^deadline: the run did not end in time/u);
    expect(run.report.tests).toMatchObject([
      { id: "hang/hang.test.js::leaves a handle open", status: "passed" },
      { id: "hang/hang.test.js::waits for ever", status: expect.stringMatching(/^(pending|failed)$/u) },
    ]);
  },
);

test("a truncated, damaged or missing report is no report", () => {
  const output = { exitCode: 0, stdout: "", stderr: "", project: "/project", files: [] };
  const pass = `{"type":"pass","file":"/project/a.test.js","name":"a","nesting":0,"suite":false,"skip":false,"todo":false}\n`;
  const whole = nodeTest.parse({ ...output, report: `${pass}{"type":"end"}\n` });
  expect(whole.report).toBe(true);
  expect(whole.tests.map(({ id }) => id)).toEqual(["a.test.js::a"]);
  for (const report of [null, "", pass, `${pass}{"type":"end"}`, `nonsense\n{"type":"end"}\n`]) {
    expect(nodeTest.parse({ ...output, report }).report).toBe(false);
  }
});

test("a requested file that the report does not mention is a problem", () => {
  const output = { exitCode: 0, stdout: "", stderr: "", project: "/project", report: `{"type":"end"}\n` };
  expect(nodeTest.parse({ ...output, files: ["gone.test.js"] }).problems).toEqual([
    {
      code: "tests_not_executed",
      file: "gone.test.js",
      message: "the report does not mention this test file",
    },
  ]);
});

test("the argv is node's own test runner with two reporters, and no shell", () => {
  const request = {
    entry: null,
    project: "/p",
    files: ["a.test.js", "-b.test.js"],
    report: "/r/report",
    timeoutMs: 1,
  };
  const reporters = [
    "--test-reporter=spec",
    "--test-reporter-destination=stdout",
    `--test-reporter=${nodeTest.assets[0]}`,
    "--test-reporter-destination=/r/report",
  ];
  const argvOf = (shuffle: boolean) =>
    nodeTest.argv({ ...request, shuffle }).filter((argument) => !argument.startsWith("--test-timeout="));
  expect(argvOf(false)).toEqual(["--test", ...reporters, "/p/a.test.js", "/p/-b.test.js"]);
  expect(argvOf(true)).toEqual([
    "--test",
    "--test-concurrency=1",
    ...reporters,
    "/p/-b.test.js",
    "/p/a.test.js",
  ]);
});
