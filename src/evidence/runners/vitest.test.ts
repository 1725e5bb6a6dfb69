import { beforeAll, describe, expect, test } from "vitest";
import { inCi, verifies } from "../../../test/verifies.ts";
import { canonical, caseFiles, expected } from "../fixtures/cases.ts";
import { about, cleanPass, judgeHonestRun, runFixture, type FixtureRun } from "../fixtures/run-fixture.ts";
import { judgeRun } from "../judge.ts";
import type { RunnerRequest } from "../runner.ts";
import { vitest } from "./vitest.ts";

const extra = ["hooks", "killed", "late-throw", "leniency", "midway", "only", "unhandled"].map(
  (name) => `${name}.test.js`,
);
let run: FixtureRun;
beforeAll(async () => void (run = await runFixture(vitest, "vitest", [...caseFiles, ...extra])));

describe("the eight canonical cases and other failures", () => {
  verifies("CORE-17@vitest", "vitest gives the canonical results of the eight cases", () => {
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
    expect(leniency.tests.map(({ id, status, kind }) => [id, status, kind])).toEqual([
      ["leniency.test.js::passes at the third try", "failed", "assertion"],
      ["leniency.test.js::is expected to fail", "todo", null],
      ["leniency.test.js::asserts nothing", "failed", "other-throw"],
      ["leniency.test.js::throws a string", "failed", "not-implemented"],
    ]);
    expect(leniency.problems.map(({ code }) => code)).toEqual(["no_assertion"]);
  });
});

inCi("a test that asserts by node's or chai's assert passes, which vitest does not count", async () => {
  const file = "other-assertions.test.js";
  const { report } = await runFixture(vitest, "vitest", [file]);
  expect(report.tests.map(({ id, status, kind }) => [id, status, kind])).toEqual([
    [`${file}::asserts by chai`, "passed", null],
    [`${file}::asserts by node`, "passed", null],
    [`${file}::fails by chai`, "failed", "assertion"],
  ]);
  expect(report.problems).toEqual([]);
});

describe("runs that never pass, whatever the exit code", () => {
  test.each([
    ["early.test.js", "early_exit", "inconclusive", true],
    ["empty.test.js", "no_tests", "inconclusive", true],
    ["midway.test.js", "early_exit", "fail", true],
    ["killed.test.js", "killed", "inconclusive", true],
    ["only.test.js", "only", "fail", false],
    ["unhandled.test.js", "unhandled", "fail", false],
    ["leniency.test.js", "no_assertion", "fail", false],
  ])("%s is refused with the reason %s", (file, code, verdict, earlyExit) => {
    const judged = judgeRun({ ...run, report: about(file, run.report), exitCode: 0, required: [] });
    expect(judged).toMatchObject({ verdict, earlyExit });
    expect(judged.reasons.join("\n")).toContain(`${code}: ${file}`);
  });

  test("the test of a killed worker is pending, not absent", () => {
    expect(
      about("killed.test.js", run.report).tests.map(({ id, status, kind }) => [id, status, kind]),
    ).toEqual([["killed.test.js::kills its process", "pending", "crash"]]);
  });
});

inCi(
  "an honest run passes, shuffled, with the runner's own entry, whatever configurations the project contains",
  async () => {
    const honest = await judgeHonestRun(vitest, "vitest", expected);
    expect(honest.judged).toEqual(cleanPass);
    expect(honest.argv[0]).toMatch(/\/node_modules\/vitest\/vitest\.mjs$/);
    expect(honest.argv).toContain(`--config=${vitest.assets[1]}`);
  },
);

test("a damaged or missing report is no report", () => {
  const output = { exitCode: 0, stdout: "", stderr: "", project: "/project", files: [] };
  const whole = { version: 1, reason: "passed", unhandled: [], modules: [] };
  expect(vitest.parse({ ...output, report: JSON.stringify(whole) }).report).toBe(true);
  for (const report of [null, "", "{", JSON.stringify({ ...whole, version: 2 })]) {
    expect(vitest.parse({ ...output, report }).report).toBe(false);
  }
});

test("a requested file that the report does not mention is a problem", () => {
  const output = { exitCode: 0, stdout: "", stderr: "", project: "/project", files: ["gone.test.js"] };
  const report = JSON.stringify({ version: 1, reason: "passed", unhandled: [], modules: [] });
  expect(vitest.parse({ ...output, report }).problems).toEqual([
    {
      code: "tests_not_executed",
      file: "gone.test.js",
      message: "the report does not mention this test file",
    },
  ]);
});

test("the argv names the entry, Mettle's config and all strict options, and no shell", () => {
  const request = {
    entry: "/store/vitest.mjs",
    project: "/p",
    files: ["tests/a.test.ts"],
    report: "/r/report",
  };
  expect(vitest.argv({ ...request, shuffle: true, seed: 7, timeoutMs: 60_000 })).toEqual([
    "/store/vitest.mjs",
    "run",
    "--root=/p",
    `--config=${vitest.assets[1]}`,
    "--configLoader=native",
    "--reporter=default",
    `--reporter=${vitest.assets[0]}`,
    "--outputFile=/r/report",
    "--watch=false",
    "--allowOnly=false",
    "--passWithNoTests=false",
    "--dangerouslyIgnoreUnhandledErrors=false",
    "--expect.requireAssertions",
    "--retry=0",
    "--bail=0",
    "--cache=false",
    "--coverage.enabled=false",
    "--sequence.shuffle.files",
    "--sequence.shuffle.tests",
    "--sequence.seed=7",
    "/p/tests/a.test.ts",
  ]);
  const frozen = vitest.argv({
    ...request,
    config: "/p/vitest.config.ts",
    shuffle: false,
    timeoutMs: 60_000,
  });
  expect(frozen).toEqual(expect.arrayContaining(["--config=/p/vitest.config.ts", "--configLoader=runner"]));
});

inCi("a test that waits for ever gets ten times the project's own limit", async () => {
  for (const [limit, expected] of [
    ["--testTimeout=50", 800],
    ["--testTimeout=200", 2000],
    ["--testTimeout=0", 4000],
  ] as const) {
    const own = { ...vitest, argv: (request: RunnerRequest) => vitest.argv({ ...request, args: [limit] }) };
    const { report } = await runFixture(own, "vitest", ["waits.test.js"], { timeoutMs: 8000 });
    expect(
      report.tests.map(({ kind, message }) => [kind, /\d+ ?ms/u.exec(message)?.[0].replace(" ", "")]),
    ).toEqual([
      ["timeout", `${expected}ms`],
      ["timeout", "300ms"],
    ]);
  }
});
