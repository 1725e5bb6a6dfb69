import { beforeAll, describe, expect, test } from "vitest";
import { inCi, verifies } from "../../../test/verifies.ts";
import { canonical, caseFiles, expected } from "../fixtures/cases.ts";
import { about, cleanPass, judgeHonestRun, runFixture, type FixtureRun } from "../fixtures/run-fixture.ts";
import { judgeRun } from "../judge.ts";
import type { RunnerRequest } from "../runner.ts";
import { oldArgv } from "./mocha-old.ts";
import { mocha } from "./mocha.ts";

const early = "early.test.js";
const shared = ["one", "two"].map((name) => `shared-${name}.test.cjs`);
const extra = ["hooks", "late-throw", "leniency", "object-title", "unhandled"].map(
  (name) => `${name}.test.js`,
);

describe("the canonical cases that leave the runner alive, and other failures", () => {
  const files = caseFiles.filter((file) => file !== early);
  let run: FixtureRun;
  beforeAll(async () => {
    run = await runFixture(mocha, "mocha", [...files, ...extra, "plain.test.cjs", ...shared]);
  });

  verifies("CORE-17@mocha", "mocha gives the canonical results of the eight cases", () => {
    const report = { ...run.report, tests: caseFiles.flatMap((file) => about(file, run.report).tests) };
    expect(canonical(report)).toEqual(expected);
    expect(run.exitCode).toBe(1);
  });

  test("the frames of CommonJS, which mocha shortens, are recognised", () => {
    expect(about("plain.test.cjs", run.report).tests).toMatchObject([
      { kind: "not-implemented", frames: ["src/plain.cjs:2:9", "plain.test.cjs:6:18"] },
    ]);
  });

  test("a file that does not load is reported and affects no other file", () => {
    const missing = {
      file: "load.test.js",
      message: expect.stringMatching(/^Cannot find module '.*\/src\/nowhere\.js'/),
    };
    expect(about("load.test.js", run.report)).toEqual({
      report: true,
      tests: [],
      loadErrors: [missing],
      problems: [],
    });
    const late = { file: "late-throw.test.js", message: "thrown while loading" };
    expect(run.report.loadErrors).toEqual([missing, late]);
  });

  test("a failed hook fails the tests that it prevented, and is a problem if it prevented none", () => {
    const hooks = about("hooks.test.js", run.report);
    expect(hooks.tests.map(({ id, status, kind }) => [id, status, kind])).toEqual([
      ["hooks.test.js::before::is not reached", "failed", "hook"],
      ["hooks.test.js::before each::is not reached", "failed", "hook"],
      ["hooks.test.js::after::passes", "passed", null],
    ]);
    expect(hooks.problems).toEqual([
      { code: "hook", file: "hooks.test.js", message: 'after: "after all" hook for "passes": hook' },
    ]);
  });

  test("a retry is no pass, and a thrown string is reported as thrown", () => {
    expect(
      about("leniency.test.js", run.report).tests.map(({ id, status, kind, message }) => [
        id.split("::")[1],
        `${status} ${kind}`,
        message.split("\n")[0],
      ]),
    ).toEqual([
      ["passes at the third try", "failed assertion", "Expected values to be strictly equal:"],
      ["throws a string", "failed not-implemented", "not implemented: yet"],
      ["skips itself", "skipped null", ""],
    ]);
  });

  test("a title that is no text is one in the report", () => {
    expect(about("object-title.test.js", run.report).tests.map(({ id }) => id)).toEqual([
      "object-title.test.js::[object Object]",
    ]);
  });

  test("a test belongs to the file that loads it, also where a shared helper keeps the functions of another", () => {
    const found = shared.map((file) => about(file, run.report).tests);
    expect(found.map((tests) => tests.map(({ id, status }) => `${id} ${status}`))).toEqual(
      ["one", "two"].map((name) => [
        `shared-${name}.test.cjs::tester::checks ${name} passed`,
        `shared-${name}.test.cjs::tester::with a failing hook::is not reached in ${name} failed`,
      ]),
    );
  });

  test.each([
    ["empty.test.js", "no_tests", "inconclusive"],
    ["unhandled.test.js", "unhandled", "fail"],
    ["load.test.js", "does not load", "fail"],
  ])("%s never passes, whatever the exit code says: %s", (file, reason, verdict) => {
    const judged = judgeRun({ ...run, report: about(file, run.report), exitCode: 0, required: [] });
    expect(judged.verdict).toBe(verdict);
    expect(judged.reasons.join("\n")).toContain(reason);
  });

  test("shows a person the runner's own output besides the report", () => {
    expect(run.stdout).toContain("✔ adds deep");
  });
});

test.each(["early", "midway"])(
  "%s: exit code 0 before the tests are done is no pass",
  { tags: "ci" },
  async (name) => {
    const file = `${name}.test.js`;
    const run = await runFixture(mocha, "mocha", ["pass.test.js", file]);
    expect(run.exitCode).toBe(0);
    expect(judgeRun({ ...run, required: [] })).toMatchObject({ verdict: "inconclusive", earlyExit: true });
    expect(about(file, run.report).problems).toEqual([
      { code: "early_exit", file, message: "the process ended before the tests did" },
    ]);
  },
);

inCi(
  "tests that did not run, for another's `.only` or any reason, do not pass, even with mocha's exit code 0",
  async () => {
    const run = await runFixture(mocha, "mocha", ["only.test.js", "empty.test.js"]);
    expect(run.exitCode).toBe(0);
    expect(run.report.tests.map(({ id, status }) => `${status} ${id}`)).toEqual([
      "passed only.test.js::is selected",
      "skipped only.test.js::is left out",
    ]);
    expect(run.report.problems.map(({ code, file }) => `${code} ${file}`)).toEqual([
      "no_tests empty.test.js",
      "only only.test.js",
    ]);
    expect(judgeRun({ ...run, required: [] }).verdict).toBe("fail");
  },
);

inCi("an honest run passes, in reversed order, whatever configuration the project contains", async () => {
  const honest = await judgeHonestRun(mocha, "mocha", expected);
  expect(honest.judged).toEqual(cleanPass);
  expect(honest.argv[0]).toMatch(/\/node_modules\/mocha\/bin\/mocha\.js$/);
});

inCi(
  "an entry that is a link and has no packages beside it runs, as in the sandbox, in old and new mocha",
  async () => {
    for (const runner of [mocha, { ...mocha, argv: oldArgv }]) {
      const run = await runFixture(runner, "mocha", ["pass.test.js"], { isLinked: true });
      expect([run.exitCode, run.report.report, run.report.tests.length > 0]).toEqual([0, true, true]);
    }
  },
);

inCi("a test that waits for ever gets ten times the project's own limit, in old and new mocha", async () => {
  const limits = [
    ["--timeout=50", 800],
    ["--timeout=200", 2000],
    ["--timeout=0", 4000],
  ] as const;
  for (const start of [mocha.argv, oldArgv])
    for (const [limit, expected] of limits) {
      const own = { ...mocha, argv: (request: RunnerRequest) => start({ ...request, args: [limit] }) };
      const { report } = await runFixture(own, "mocha", ["waits.test.js"], { timeoutMs: 8000 });
      expect(report.tests.map(({ kind, message }) => [kind, message.split(". ")[0]])).toEqual([
        ["timeout", expect.stringMatching(new RegExp(`^timeout of ${expected}ms exceeded`, "iu"))],
      ]);
    }
});

test("a truncated, damaged or missing report is no report", () => {
  const output = { exitCode: 0, stdout: "", stderr: "", project: "/project", files: [] };
  const file = `{"type":"file","file":"/project/a.test.js"}\n`;
  const announced = `{"type":"test","test":1,"file":"/project/a.test.js","path":["a"],"state":"run"}\n`;
  const passed = `{"type":"result","test":1,"state":"passed","error":null}\n`;
  const part = file + announced + passed;
  const whole = mocha.parse({ ...output, report: `${part}{"type":"end"}\n` });
  expect(whole).toMatchObject({ report: true, tests: [{ id: "a.test.js::a", status: "passed" }] });
  for (const report of [null, "", part, `${part}{"type":"end"}`, `nonsense\n{"type":"end"}\n`]) {
    expect(mocha.parse({ ...output, report }).report).toBe(false);
  }
  const open = mocha.parse({ ...output, report: file + announced });
  expect(open.tests).toMatchObject([{ status: "pending", kind: "timeout" }]);
});

test("a requested file that the report does not mention is a problem", () => {
  const output = { exitCode: 0, stdout: "", stderr: "", project: "/project", report: `{"type":"end"}\n` };
  expect(mocha.parse({ ...output, files: ["gone.test.js"] }).problems).toEqual([
    {
      code: "tests_not_executed",
      file: "gone.test.js",
      message: "the report does not mention this test file",
    },
  ]);
});

test("the argv names the entry, the base's configuration and all strict options, and no shell", () => {
  const request = { entry: "/store/mocha.js", project: "/p", files: ["a.test.js", "b.test.js"] };
  const more = { report: "/r,1/report", timeoutMs: 60_000 };
  expect(mocha.argv({ ...request, ...more, shuffle: true })).toEqual([
    "/store/mocha.js",
    "--no-config",
    "--no-package",
    `--reporter=${mocha.assets[0]}`,
    "--reporter-option=report=%2Fr%2C1%2Freport",
    "--reporter-option=longest=30000",
    "--no-parallel",
    "--no-watch",
    "--no-bail",
    "--no-dry-run",
    "--no-forbid-only",
    "--no-forbid-pending",
    "--no-allow-uncaught",
    "--no-pass-on-failing-test-suite",
    "--no-sort",
    "--retries=0",
    "/p/b.test.js",
    "/p/a.test.js",
  ]);
  const settings = (config: string) =>
    mocha.argv({ ...request, ...more, shuffle: false, config }).slice(1, 3);
  expect(settings("/p/.mocharc.cjs")).toEqual(["--no-package", "--config=/p/.mocharc.cjs"]);
  expect(settings("/p/package.json")).toEqual(["--no-config", "--package=/p/package.json"]);
});
