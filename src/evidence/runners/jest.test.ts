import { beforeAll, describe, expect, test } from "vitest";
import { inCi, verifies } from "../../../test/verifies.ts";
import { canonical, caseFiles, expected } from "../fixtures/cases.ts";
import { about, cleanPass, runFixture, type FixtureRun } from "../fixtures/run-fixture.ts";
import { judgeRun } from "../judge.ts";
import type { RunnerRequest } from "../runner.ts";
import { jest, jestOfModules } from "./jest.ts";

// It ends the runner, so it runs alone, in never-passes.test.ts.
const early = "early.test.js";
const extra = ["hooks", "late-throw", "leniency", "only", "unhandled"].map((name) => `${name}.test.js`);

describe("the canonical cases that leave the runner alive, and other failures", () => {
  const files = caseFiles.filter((file) => file !== early);
  let run: FixtureRun;
  beforeAll(async () => void (run = await runFixture(jest, "jest", [...files, ...extra])));

  verifies("CORE-17@jest", "jest gives the canonical results of the eight cases", () => {
    const report = { ...run.report, tests: caseFiles.flatMap((file) => about(file, run.report).tests) };
    expect(canonical(report)).toEqual(expected);
    expect(run.exitCode).toBe(1);
  });

  test("distinguish a file that does not load from a failing test", () => {
    const missing = {
      file: "load.test.js",
      message: expect.stringContaining("Cannot find module './src/nowhere.js'"),
    };
    expect(about("load.test.js", run.report)).toEqual({
      report: true,
      tests: [],
      loadErrors: [missing],
      problems: [],
    });
    const late = { file: "late-throw.test.js", message: "thrown while loading" };
    expect(about("late-throw.test.js", run.report).loadErrors).toEqual([late]);
  });

  test("a failed hook fails the tests that it prevented, and is a problem if it prevented none", () => {
    const hooks = about("hooks.test.js", run.report);
    expect(hooks.tests.map(({ id, status, kind }) => [id, status, kind])).toEqual([
      ["hooks.test.js::before::is not reached", "failed", "hook"],
      ["hooks.test.js::before each::is not reached", "failed", "hook"],
      ["hooks.test.js::after::passes", "passed", null],
    ]);
    expect(hooks.problems).toEqual([{ code: "hook", file: "hooks.test.js", message: `"after": hook` }]);
  });

  test("a retry, an expected failure or a test without assertion is no pass", () => {
    const leniency = about("leniency.test.js", run.report);
    expect(leniency.tests.map(({ id, status, kind }) => [id.split("::")[1], status, kind])).toEqual([
      ["passes at the third try", "failed", "assertion"],
      ["is expected to fail", "todo", null],
      ["asserts nothing", "failed", "other-throw"],
      ["throws a string", "failed", "not-implemented"],
      ["expects more assertions", "failed", "assertion"],
      ["fails an assertion of node", "failed", "assertion"],
    ]);
    expect(leniency.problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'no_assertion "asserts nothing" asserts nothing',
    ]);
  });

  test.each([
    ["empty.test.js", "no_tests", "inconclusive"],
    ["only.test.js", "only", "fail"],
    ["unhandled.test.js", "unhandled", "fail"],
    ["leniency.test.js", "no_assertion", "fail"],
    ["load.test.js", "does not load", "fail"],
  ])("%s never passes, whatever the exit code says: %s", (file, reason, verdict) => {
    const judged = judgeRun({ ...run, report: about(file, run.report), exitCode: 0, required: [] });
    expect(judged.verdict).toBe(verdict);
    expect(judged.reasons.join("\n")).toContain(reason);
  });

  test("a todo is no pass, neither as a required test nor alone", () => {
    const report = about("skip.test.js", run.report);
    const id = "skip.test.js::is to do";
    expect(judgeRun({ ...run, report, exitCode: 0, required: [] })).toMatchObject({
      verdict: "inconclusive",
      reasons: ["other tests: the run executed no test"],
    });
    expect(judgeRun({ ...run, report, exitCode: 0, required: [id] })).toMatchObject({
      verdict: "fail",
      reasons: expect.arrayContaining([`required tests: 1 skipped or todo: ${id}`]),
    });
  });
});

inCi("an honest run of modules passes, shuffled, whatever configuration the project contains", async () => {
  const honest = await runFixture(jestOfModules, "jest", ["modules/add.test.js", "pass.test.js"], {
    shuffle: true,
  });
  const passed = expected.filter(({ status }) => status === "passed").map(({ id }) => id);
  const required = [...passed, "modules/add.test.js::adds"];
  expect(judgeRun({ ...honest, required })).toEqual(cleanPass);
  expect(honest.argv.slice(0, 2)).toEqual([
    "--experimental-vm-modules",
    expect.stringMatching(/\/node_modules\/jest\/bin\/jest\.js$/),
  ]);
});

inCi("tests do not see the arguments of a proof, as in a worker", async () => {
  const run = await runFixture(jest, "jest", ["arguments.test.js"]);
  expect(run.report.tests.map(({ status, message }) => `${status} ${message}`)).toEqual(["passed "]);
});

const output = { exitCode: 0, stdout: "", stderr: "", project: "/project", files: [] };
const file = (changes: object) =>
  `${JSON.stringify({ type: "file", file: "/project/a.test.js", tests: null, unhandled: [], hooks: [], isFocused: false, error: null, ...changes })}\n`;
const end = '{"type":"end"}\n';

test("the tests of a worker that ended or was killed do not pass", () => {
  const said = (message: string) =>
    jest
      .parse({ ...output, report: file({ error: { name: "Error", message } }) + end })
      .problems.map(({ code }) => code);
  // jest 30's messages with two workers, for exit code 0 and for SIGKILL.
  expect(said("A jest worker process (pid=1) crashed for an unknown reason: exitCode=0")).toEqual([
    "early_exit",
  ]);
  expect(
    said("A jest worker process (pid=1) was terminated by another process: signal=SIGKILL, exitCode=null."),
  ).toEqual(["killed"]);
});

test("a truncated, damaged or missing report is no report", () => {
  const done = file({ tests: [{ path: ["a"], status: "done", failing: false, asserts: 1, error: null }] });
  const whole = jest.parse({ ...output, report: done + end });
  expect(whole).toMatchObject({ report: true, tests: [{ id: "a.test.js::a", status: "passed" }] });
  for (const report of [null, "", done, done + end.trim(), `nonsense\n${end}`]) {
    expect(jest.parse({ ...output, report }).report).toBe(false);
  }
});

test("a requested file that the report does not mention is a problem", () => {
  expect(jest.parse({ ...output, report: end, files: ["gone.test.js"] }).problems).toEqual([
    {
      code: "tests_not_executed",
      file: "gone.test.js",
      message: "the report does not mention this test file",
    },
  ]);
});

test("the argv names the entry, the base's configuration and all strict options, and no shell", () => {
  const request = {
    entry: "/store/jest.js",
    project: "/p",
    files: ["tests/a.test.ts"],
    report: "/r/report",
    timeoutMs: 60_000,
  };
  expect(jest.argv({ ...request, shuffle: true, seed: 7 })).toEqual([
    "/store/jest.js",
    '--config={"rootDir":"/p","testMatch":["**/*"]}',
    "--ci",
    "--updateSnapshot=false",
    "--watch=false",
    "--watchAll=false",
    "--watchman=false",
    "--bail=0",
    "--passWithNoTests=false",
    "--onlyChanged=false",
    "--onlyFailures=false",
    "--coverage=false",
    "--no-cache",
    "--cacheDirectory=/r/jest-cache",
    "--reporters=default",
    `--reporters=${jest.assets[0]}`,
    "--outputFile=/r/report",
    `--testRunner=${jest.assets[1]}`,
    "--randomize=true",
    "--maxWorkers=1",
    "--seed=7",
    "--runTestsByPath",
    "/p/tests/a.test.ts",
  ]);
  const frozen = jest.argv({ ...request, config: "/p/jest.config.ts", shuffle: false });
  expect(frozen).toEqual(expect.arrayContaining(["--config=/p/jest.config.ts", "--randomize=false"]));
});

inCi("a test that waits for ever gets ten times the project's own limit", async () => {
  for (const [limit, expected] of [
    ["--testTimeout=50", 800],
    ["--testTimeout=200", 2000],
  ] as const) {
    const own = { ...jest, argv: (request: RunnerRequest) => jest.argv({ ...request, args: [limit] }) };
    const { report } = await runFixture(own, "jest", ["waits.test.js"], { timeoutMs: 8000 });
    expect(
      report.tests.map(({ kind, message }) => [kind, /\d+ ?ms/u.exec(message)?.[0].replace(" ", "")]),
    ).toEqual([
      ["timeout", `${expected}ms`],
      ["timeout", "300ms"],
    ]);
  }
});
