import { beforeAll, describe, expect, test } from "vitest";
import { canonical, expected } from "../fixtures/cases.ts";
import { unittestNames } from "../fixtures/python-names.ts";
import { about, type FixtureRun } from "../fixtures/run-fixture.ts";
import { canonicalNames, inFixture, programOf } from "../fixtures/run-native.ts";
import { judgeRun } from "../judge.ts";
import { unittest } from "./unittest.ts";

const program = await programOf(unittest);
const fixture = { runner: unittest, program, folder: "unittest" };
const files = ["pass", "assertion", "stub", "load", "skip", "empty", "timeout", "hooks"].map(
  (name) => `${name}_test.py`,
);
const frame = (one: string) => one.replace("_test.py", ".test.js").replace("units.py", "units.js");

describe.skipIf(program === null)("unittest", () => {
  let run: FixtureRun;
  let early: FixtureRun;
  let honest: FixtureRun;
  beforeAll(async () => {
    await inFixture(fixture, async (runFiles) => {
      run = await runFiles(files);
      early = await runFiles(["pass_test.py", "early_test.py"]);
      honest = await runFiles(["pass_test.py"], { shuffle: true });
    });
  });

  test("gives the canonical results", () => {
    expect(canonical(canonicalNames(run.report, unittestNames, frame))).toEqual(expected);
    expect(run.exitCode).toBe(1);
    expect(run.report.loadErrors).toEqual([
      { file: "load_test.py", message: "ModuleNotFoundError: No module named 'src.nowhere'" },
    ]);
  });

  test("a subtest, an expected failure or a hook gives no pass", () => {
    const hooks = about("hooks_test.py", run.report).tests;
    expect(hooks.map(({ id, status, kind }) => [id, status, kind])).toEqual(
      [
        ["hooks_test.py::Before::test_is_not_reached", "failed", "hook"],
        ["hooks_test.py::BeforeEach::test_is_not_reached", "failed", "hook"],
        ["hooks_test.py::After::test_passes", "passed", null],
        ["hooks_test.py::Skipping::test_is_not_reached", "skipped", null],
        ["hooks_test.py::Parts::test_has_parts", "failed", "assertion"],
        ["hooks_test.py::Parts::test_passes_though_it_should_not", "todo", null],
      ].toSorted(inOrderOf(hooks.map(({ id }) => id))),
    );
    expect(run.report.problems).toEqual([
      { code: "hook", file: null, message: "tearDownClass (hooks_test.After): hook" },
      { code: "no_tests", file: "empty_test.py", message: "the file holds no test" },
    ]);
  });

  test("ends without a complete report if a file ends the process", () => {
    expect([early.exitCode, early.report.report]).toEqual([0, false]);
    expect(judgeRun({ ...early, required: [] })).toMatchObject({ verdict: "inconclusive", earlyExit: true });
  });

  test("passes an honest run, shuffled", () => {
    const required = Object.keys(unittestNames).filter((id) => id.startsWith("pass_"));
    expect(judgeRun({ ...honest, required }).reasons).toEqual([]);
  });
});

/** unittest orders classes as its loader finds them. */
function inOrderOf(ids: readonly string[]) {
  return (a: readonly (string | null)[], b: readonly (string | null)[]) =>
    ids.indexOf(a[0] ?? "") - ids.indexOf(b[0] ?? "");
}

test("the argv is Mettle's script with its options as one argument", () => {
  const request = {
    entry: null,
    project: "/p",
    files: ["a_test.py"],
    report: "/r/report",
    timeoutMs: 60_000,
  };
  expect(unittest.argv({ ...request, shuffle: false })).toEqual([
    "-s",
    unittest.assets[0],
    '{"project":"/p","report":"/r/report","config":"","list":false,"files":["a_test.py"],"seed":null,"seconds":30}',
  ]);
});
