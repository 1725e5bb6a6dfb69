import { beforeAll, describe, expect, test } from "vitest";
import { verifies } from "../../../test/verifies.ts";
import { canonical, expected } from "../fixtures/cases.ts";
import { pytestNames } from "../fixtures/python-names.ts";
import { about, type FixtureRun } from "../fixtures/run-fixture.ts";
import { canonicalNames, inFixture, programOf } from "../fixtures/run-native.ts";
import { judgeRun } from "../judge.ts";
import { pytest } from "./pytest.ts";

const program = await programOf(pytest);
// The machine's own plugins are slow to load and not under test.
const env = { PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1" };
const fixture = { runner: pytest, program, folder: "pytest", env };
/** All cases except `early`, which ends the process that runs them all. */
const files = ["pass", "assertion", "stub", "load", "skip", "empty", "timeout", "xpass", "hooks", "words"]
  .map((name) => `${name}_test.py`)
  .concat("patched/patched_test.py");
const frame = (one: string) => one.replace("_test.py", ".test.js").replace("units.py", "units.js");
const kinds = (file: string, run: FixtureRun) =>
  about(file, run.report).tests.map(({ id, status, kind }) => [id.split("::").at(-1), status, kind]);

describe.skipIf(program === null)("pytest", () => {
  let run: FixtureRun;
  let early: FixtureRun;
  let gone: FixtureRun;
  let nothing: FixtureRun;
  let midway: FixtureRun;
  let honest: FixtureRun;
  beforeAll(async () => {
    await inFixture(fixture, async (runFiles) => {
      run = await runFiles(files);
      early = await runFiles(["pass_test.py", "early_test.py"]);
      gone = await runFiles(["pass_test.py", "gone_test.py"]);
      nothing = await runFiles(["gone_test.py"]);
      midway = await runFiles(["midway_test.py"]);
      honest = await runFiles(["pass_test.py"], { shuffle: true });
    });
  });

  verifies("CORE-17@pytest", "pytest gives the canonical results of the eight cases", () => {
    expect(canonical(canonicalNames(run.report, pytestNames, frame))).toEqual(expected);
    expect(run.exitCode).toBe(1);
    expect(run.report.report).toBe(true);
  });

  test("reports a file that does not load, and one without tests", () => {
    expect(run.report.loadErrors).toEqual([
      { file: "load_test.py", message: "ModuleNotFoundError: No module named 'src.nowhere'" },
    ]);
    expect(run.report.problems).toEqual([
      { code: "no_tests", file: "empty_test.py", message: "the file holds no test" },
    ]);
  });

  test("runs the other files if one is deleted, and reports that it held no test", () => {
    expect(gone.report.problems).toEqual([
      { code: "no_tests", file: "gone_test.py", message: "the file holds no test" },
    ]);
    expect(gone.report.tests.length).toBe(4);
    expect([nothing.exitCode, nothing.report.tests]).toEqual([5, []]);
  });

  test("ends without a complete report if a file ends the process", () => {
    expect([early.exitCode, early.report.report]).toEqual([0, false]);
    expect(judgeRun({ ...early, required: [] })).toMatchObject({ verdict: "inconclusive", earlyExit: true });
    expect(kinds("midway_test.py", midway)).toEqual([
      ["test_comes_first", "passed", null],
      ["test_leaves", "pending", "crash"],
      ["test_comes_last", "pending", "crash"],
    ]);
    expect(judgeRun({ ...midway, required: [] })).toMatchObject({ verdict: "inconclusive", earlyExit: true });
  });

  test("an expected failure is no pass", () => {
    expect(kinds("xpass_test.py", run)).toEqual([
      ["test_passes_though_it_should_not", "todo", null],
      ["test_passes_and_must_not", "failed", "other-throw"],
      ["test_gives_up", "todo", null],
    ]);
  });

  test("a conftest that rewrites reports, calls no test or swallows exceptions gives no pass", () => {
    expect(kinds("patched/patched_test.py", run)).toEqual([
      ["test_is_reported_as_passed", "failed", "assertion"],
      ["test_is_never_called", "failed", "other-throw"],
      ["test_is_swallowed", "failed", "assertion"],
    ]);
  });

  test("a failed fixture fails the test around it, and the unit's message is reported", () => {
    expect(kinds("hooks_test.py", run)).toEqual([
      ["test_is_not_reached", "failed", "hook"],
      ["test_passes", "failed", "hook"],
      ["test_uses_what_a_stub_makes", "failed", "hook"],
    ]);
    expect(about("hooks_test.py", run.report).tests.map(({ message }) => message)).toEqual([
      "hook",
      "hook",
      "not implemented: stub",
    ]);
    expect(kinds("words_test.py", run)).toEqual([
      ["test_expects_an_error", "failed", "assertion"],
      ["test_fails_in_words", "failed", "assertion"],
      ["test_leaves_by_exit", "failed", "other-throw"],
      ["test_says_not_implemented", "failed", "not-implemented"],
    ]);
  });

  test("passes an honest run, shuffled, and shows pytest's own output", () => {
    const required = Object.keys(pytestNames).filter((id) => id.startsWith("pass_"));
    expect(judgeRun({ ...honest, required }).reasons).toEqual([]);
    expect(honest.stdout).toContain("4 passed");
  });
});

test("a truncated, damaged or missing report is no report", () => {
  const output = { exitCode: 0, stdout: "", stderr: "", project: "/project", files: [] };
  const item = '{"type":"item","id":"a_test.py::test_a"}\n';
  const passed = '{"type":"test","id":"a_test.py::test_a","status":"passed","error":null}\n';
  const whole = pytest.parse({ ...output, report: `${item}${passed}{"type":"end","code":0}\n` });
  expect([whole.report, whole.tests.map(({ id }) => id)]).toEqual([true, ["a_test.py::test_a"]]);
  for (const report of [null, "", item, `${item}${passed}`, 'nonsense\n{"type":"end","code":0}\n'])
    expect(pytest.parse({ ...output, report }).report).toBe(false);
});

test("the argv is Mettle's script with its options as one argument, and no shell", () => {
  const request = {
    entry: null,
    project: "/p",
    files: ["-a_test.py"],
    report: "/r/report",
    timeoutMs: 60_000,
  };
  const options = { project: "/p", report: "/r/report", list: false, files: ["-a_test.py"], seconds: 30 };
  expect(pytest.argv({ ...request, shuffle: false })).toEqual([
    "-s",
    pytest.assets[0],
    JSON.stringify({
      project: "/p",
      report: "/r/report",
      config: pytest.assets[2],
      list: false,
      files: ["-a_test.py"],
      seed: null,
      seconds: 30,
    }),
  ]);
  expect(
    JSON.parse(pytest.argv({ ...request, config: "/p/pytest.ini", shuffle: true, seed: 7 })[2] ?? ""),
  ).toEqual({ ...options, config: "/p/pytest.ini", seed: 7 });
});
