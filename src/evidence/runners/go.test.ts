// @module-tag ci
import { beforeAll, describe, expect, test } from "vitest";
import { verifies } from "../../../test/verifies.ts";
import { canonical, expected } from "../fixtures/cases.ts";
import { goNames } from "../fixtures/go-names.ts";
import { about, type FixtureRun } from "../fixtures/run-fixture.ts";
import { canonicalNames, inFixture, programOf } from "../fixtures/run-native.ts";
import { judgeRun } from "../judge.ts";
import { go } from "./go.ts";

const program = await programOf(go);
const fixture = { runner: go, program, folder: "go" };
const cases = ["pass", "assertion", "stub", "load", "skip", "empty", "early", "timeout", "midway", "thrown"];
const files = cases.map((name) => `${name}/${name}_test.go`);
const frame = (one: string) =>
  one.replace(/^\w+\/(\w+)_test\.go/, "$1.test.js").replace("units.go", "units.js");
const states = (file: string, run: FixtureRun) =>
  about(file, run.report).tests.map(({ id, status, kind }) => [
    id.split("::").slice(1).join("/"),
    status,
    kind,
  ]);

describe.skipIf(program === null)("go test", () => {
  let run: FixtureRun;
  let honest: FixtureRun;
  let lying: FixtureRun;
  beforeAll(async () => {
    await inFixture(fixture, async (runFiles) => {
      run = await runFiles(files, { timeoutMs: 2_000 });
      honest = await runFiles(["pass/pass_test.go"], { shuffle: true });
      lying = await runFiles(
        ["early", "skip", "empty", "forged", "elsewhere"].map((name) => `${name}/${name}_test.go`),
      );
    });
  });

  verifies("CORE-17@go", "go gives the canonical results of the eight cases", () => {
    const known = expected.filter(({ id }) => id !== "skip.test.js::is to do");
    expect(canonical(canonicalNames(run.report, goNames, frame))).toEqual(known);
    expect([run.exitCode, run.report.report, run.timedOut]).toEqual([2, true, false]);
  });

  test("reports a package that was not built, with the compiler's output", () => {
    expect(run.report.loadErrors.toSorted((a, b) => (a.file < b.file ? -1 : 1))).toEqual([
      { file: "load/load_test.go", message: "load/load_test.go:10:11: undefined: units.Nothing" },
      { file: "thrown/thrown_test.go", message: "not implemented: stub" },
    ]);
  });

  test("a test fails for the reason of its first failing subtest", () => {
    expect(states("assertion/assertion_test.go", run)).toEqual([
      ["TestSuite", "failed", "assertion"],
      ["TestSuite/expects_too_much", "failed", "assertion"],
    ]);
    expect(about("assertion/assertion_test.go", run.report).tests[0]?.message).toBe("got 3, want 4");
  });

  test("runs the remaining tests after one that ended the process, and passes none without an end", () => {
    expect(states("midway/midway_test.go", run)).toEqual([
      ["TestComesFirst", "pending", "crash"],
      ["TestLeaves", "failed", "crash"],
      ["TestLeavesUnseen", "pending", "crash"],
      ["TestComesLast", "pending", "crash"],
    ]);
  });

  test("passes no package without tests, for another system, or ended by its own code", () => {
    const early = "the process exited with code 0 before the testing package was done";
    // Packages are tested in parallel: the order in which they end varies.
    const inOrder = lying.report.problems.toSorted((a, b) => (a.file ?? "").localeCompare(b.file ?? ""));
    expect(inOrder).toEqual([
      { code: "early_exit", file: "early/early_test.go", message: expect.stringContaining(early) },
      { code: "no_tests", file: "early/early_test.go", message: "no test of this file ran" },
      {
        code: "tests_not_executed",
        file: "elsewhere/elsewhere_test.go",
        message: "go did not report the package of this file",
      },
      { code: "no_tests", file: "empty/empty_test.go", message: "no test of this file ran" },
      { code: "early_exit", file: "forged/forged_test.go", message: expect.stringContaining(early) },
    ]);
    expect(states("forged/forged_test.go", lying)).toEqual([["TestIsForged", "pending", "crash"]]);
    const required = ["early/early_test.go::TestNeverKnown"];
    expect(judgeRun({ ...lying, required })).toMatchObject({ verdict: "inconclusive", earlyExit: true });
    expect(judgeRun({ ...lying, required: ["skip/skip_test.go::TestIsSkipped"] }).verdict).toBe("fail");
  });

  test("passes an honest run, shuffled", () => {
    const required = Object.keys(goNames).filter((id) => id.startsWith("pass/"));
    expect(judgeRun({ ...honest, required }).reasons).toEqual([]);
  });
});

test("output that is not go's, or is truncated, is no report", () => {
  const output = { stderr: "", project: "/p", report: null, files: ["a/a_test.go"] };
  const line = (rest: object) => `${JSON.stringify({ Package: "m/a", ...rest })}\n`;
  const passed = line({ Action: "pass", Test: "TestA" });
  const whole = go.parse({ ...output, exitCode: 0, stdout: `${passed}${line({ Action: "pass" })}` });
  expect(whole.report).toBe(true);
  expect(go.parse({ ...output, exitCode: 0, stdout: passed }).report).toBe(false);
  expect(go.parse({ ...output, exitCode: null, stdout: `${passed}${line({ Action: "pass" })}` }).report).toBe(
    false,
  );
  expect(go.parse({ ...output, exitCode: 1, stdout: "go: cannot find main module\n" }).report).toBe(false);
});

test("a file without tests is a helper if other tests of the package ran, else it holds no test", () => {
  const files = ["a/a_test.go", "a/cases_test.go", "a/gone_test.go"];
  const texts = new Map([
    ["a/a_test.go", 'package a\n\nimport "testing"\n\nfunc TestA(t *testing.T) {}\n'],
    ["a/cases_test.go", "package a\n\nvar cases = []int{1}\n"],
    ["a/gone_test.go", ""],
  ]);
  const output = { stderr: "", project: "/p", report: null, files, texts, exitCode: 0 };
  const line = (rest: object) => `${JSON.stringify({ Package: "m/a", ...rest })}\n`;
  const empty = (stdout: string) => go.parse({ ...output, stdout }).problems.map(({ file }) => file);
  expect(
    empty(
      `${line({ Action: "run", Test: "TestA" })}${line({ Action: "pass", Test: "TestA" })}${line({ Action: "pass" })}`,
    ),
  ).toEqual(["a/gone_test.go"]);
  expect(empty(line({ Action: "skip" }))).toEqual(files);
  expect(empty(line({ Action: "pass" }))).toEqual(files);
});

test("cached results are never used, and go downloads nothing", () => {
  const argv = go.argv({
    entry: null,
    project: "/p",
    files: ["a_test.go", "b/c_test.go", "b/d_test.go"],
    report: "/r",
    node: "/usr/bin/node",
    shuffle: true,
    seed: 7,
    timeoutMs: 60_000,
  });
  expect(argv).toEqual([
    "test",
    "-json",
    "-count=1",
    "-vet=off",
    "-gcflags=-e",
    `-exec="/usr/bin/node" "${go.assets[0]}"`,
    "-timeout=30000ms",
    "-shuffle=7",
    ".",
    "./b",
  ]);
  expect(go.env).toMatchObject({ GOPROXY: "off", GOTOOLCHAIN: "local", GOFLAGS: "" });
});
