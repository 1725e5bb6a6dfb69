// @module-tag ci
import { beforeAll, describe, expect, test } from "vitest";
import { verifies } from "../../../test/verifies.ts";
import { canonical, expected } from "../fixtures/cases.ts";
import { cargoNames } from "../fixtures/cargo-names.ts";
import { about, type FixtureRun } from "../fixtures/run-fixture.ts";
import { canonicalNames, inFixture, programOf } from "../fixtures/run-native.ts";
import { judgeRun } from "../judge.ts";
import { readLibtest } from "./cargo/cargo-output.ts";
import { cargo } from "./cargo.ts";

const program = await programOf(cargo);
const fixture = { runner: cargo, program, folder: "cargo" };
const targets = ["forged", "pass", "assertion", "stub", "skip", "empty", "early", "timeout", "words"];
const files = ["src/lib.rs", "src/units.rs", ...targets.map((name) => `tests/${name}.rs`)];
const frame = (one: string) =>
  one.replace(/^tests\/(\w+)\.rs/, "$1.test.js").replace("src/units.rs", "src/units.js");
const states = (file: string, run: FixtureRun) =>
  about(file, run.report).tests.map(({ id, status, kind }) => [
    id.split("::").slice(1).join("::"),
    status,
    kind,
  ]);

describe.skipIf(program === null)("cargo test", () => {
  let run: FixtureRun;
  let honest: FixtureRun;
  let early: FixtureRun;
  let broken: FixtureRun;
  beforeAll(async () => {
    await inFixture(fixture, async (runFiles) => {
      run = await runFiles(files, { timeoutMs: 3_000 });
      honest = await runFiles(["tests/pass.rs"], { shuffle: true });
      early = await runFiles(["tests/early.rs", "tests/skip.rs", "tests/empty.rs"]);
    });
    await inFixture({ ...fixture, folder: "cargo-broken" }, async (runFiles) => {
      broken = await runFiles(["src/lib.rs", "tests/load.rs"]);
    });
  });

  verifies("CORE-17@cargo", "cargo gives the canonical results of the eight cases", () => {
    const known = expected.filter(({ id }) => id !== "skip.test.js::is to do");
    expect(canonical(canonicalNames(run.report, cargoNames, frame))).toEqual(known);
    expect([run.exitCode, run.report.report]).toEqual([101, true]);
  });

  test("reports a compile error with its file, and no test that did not run", () => {
    const message = "unresolved import `broken::nowhere` (tests/load.rs:1)";
    expect(broken.report).toEqual({
      compileErrors: [expect.objectContaining({ file: "tests/load.rs", line: 1 })],
      report: true,
      tests: [],
      loadErrors: [{ file: "tests/load.rs", message }],
      problems: [],
    });
    expect(judgeRun({ ...broken, exitCode: 0, required: [] }).verdict).toBe("fail");
  });

  test("passes no test that started and has no end, even with exit code 0", () => {
    expect(early.exitCode).toBe(0);
    expect(states("tests/early.rs", early)).toEqual([
      ["a_comes_first", "passed", null],
      ["b_leaves", "pending", "crash"],
      ["c_comes_last", "passed", null],
    ]);
    expect(early.report.problems.map(({ code, file }) => [code, file])).toEqual([
      ["early_exit", "tests/early.rs"],
      ["no_tests", "tests/empty.rs"],
    ]);
    expect(judgeRun({ ...early, required: [] })).toMatchObject({ verdict: "inconclusive", earlyExit: true });
    const ignored = judgeRun({ ...early, required: ["tests/skip.rs::is_skipped"] });
    expect(ignored.verdict).toBe("fail");
    expect(ignored.reasons).toContain("required tests: 1 skipped or todo: tests/skip.rs::is_skipped");
  });

  test("counts inline tests, and doc examples without their line", () => {
    expect(states("src/units.rs", run)).toEqual([["tests::stands_beside_its_unit", "passed", null]]);
    expect(states("src/lib.rs", run)).toEqual([
      ["doc::one", "passed", null],
      ["doc::two", "failed", "assertion"],
    ]);
  });

  test("recognises an assertion with the author's own message, and ignores output that imitates another test", () => {
    expect(states("tests/words.rs", run)).toEqual([
      ["asserts_in_words", "failed", "assertion"],
      ["does_not_panic", "failed", "assertion"],
      ["gives_an_error", "failed", "other-throw"],
      ["is_not_there", "failed", "not-implemented"],
      ["writes_past_the_capture", "pending", "crash"],
    ]);
    expect(
      about("tests/words.rs", run.report).tests.find(({ id }) => id.endsWith("is_not_there"))?.message,
    ).toBe("not implemented: own stub");
  });

  test("ignores a pass that libtest's own log does not contain", () => {
    expect(states("tests/forged.rs", run)).toEqual([
      ["a_forges", "pending", "crash"],
      ["b_fails", "pending", "crash"],
    ]);
  });

  test("passes an honest run, shuffled", () => {
    const required = Object.keys(cargoNames).filter((id) => id.startsWith("tests/pass"));
    expect(judgeRun({ ...honest, required }).reasons).toEqual([]);
  });
});

const output = { project: "/p", report: null, files: ["tests/a.rs"], stderr: "" };
const running = "     Running tests/a.rs (target/debug/deps/a-1)\n";
const begin = '#mettle {"begin":"/t/a-1","folder":"/p","tests":["one"]}\n';
const end = '#mettle {"end":"/t/a-1","code":0}\n';

test("output without the markers of Mettle's runner, or truncated output, is no report and no pass", () => {
  const passed = "running 1 test\ntest one ... ok\n";
  const whole = cargo.parse({ ...output, exitCode: 0, stderr: running, stdout: `${begin}${passed}${end}` });
  expect([whole.report, whole.tests.map(({ id, status }) => `${status} ${id}`), whole.problems]).toEqual([
    true,
    ["passed tests/a.rs::one"],
    [],
  ]);
  expect(cargo.parse({ ...output, exitCode: 0, stderr: running, stdout: `${begin}${passed}` }).report).toBe(
    false,
  );
  expect(cargo.parse({ ...output, exitCode: 101, stdout: "", stderr: "error: no such command" }).report).toBe(
    false,
  );
  const other = cargo.parse({ ...output, exitCode: 0, stderr: running, stdout: passed });
  expect(other.problems.map(({ code }) => code)).toEqual(["interrupted", "no_tests"]);
});

test("a test has the last result that libtest reports after its own output, and none where two are reported", () => {
  const of = (lines: readonly string[]) =>
    readLibtest(lines).map(({ name, outcome }) => `${name} ${String(outcome)}`);
  const end = "test result: ok. 2 passed; 0 failed";
  expect(of(["test a ... hello", "ok", "test b ... ok", end])).toEqual(["a ok", "b ok"]);
  expect(of(["test a ... all is ok", "FAILED", end])).toEqual(["a FAILED"]);
  expect(of(["test a ... x", "it is ok", "FAILED", end])).toEqual(["a null"]);
  expect(of(["test a ... ", "test b ... ok", end])).toEqual(["a ok"]);
  expect(of(["test a ... ", "test b ... ok"])).toEqual(["a null"]);
  expect(of(["test a ... ok", "failures:", "", "---- a stdout ----", "why", "failures:"])).toEqual([
    "a FAILED",
  ]);
  expect(of(["test a ... ", "running 1 test", "test b ... ok"])).toEqual(["a null", "b ok"]);
});

test("an assertion with a message is distinguished from a panic by its line, in old and new versions", () => {
  const texts = new Map([["tests/a.rs", '    assert!(false, "own");\n    panic!("own");\n']]);
  const failed = (words: string) =>
    cargo.parse({
      ...output,
      texts,
      exitCode: 101,
      stderr: running,
      stdout: `${begin}test one ... FAILED\nfailures:\n\n---- one stdout ----\n${words}\n\nfailures:\n    one\n${end}`,
    }).tests[0];
  expect(failed("thread 'one' panicked at tests/a.rs:1:5:\nown")).toMatchObject({
    kind: "assertion",
    message: "own",
    frames: ["tests/a.rs:1:5"],
  });
  expect(failed("thread 'one' (12) panicked at tests/a.rs:2:5:\nown")?.kind).toBe("other-throw");
  expect(failed("thread 'one' panicked at 'own', tests/a.rs:1:5")).toMatchObject({
    kind: "assertion",
    message: "own",
  });
  const returned = `Error: "bad"
thread 'one' panicked at 'assertion failed: \`(left == right)\`
  left: \`1\`,
 right: \`0\`: the test returned a termination value with a non-zero status code (1) which indicates a failure', /rustc/library/test/src/lib.rs:184:5`;
  expect(failed(returned)).toMatchObject({ kind: "other-throw", message: '"bad"' });
});

test("a cargo before 1.71 is asked for debug information by a number", () => {
  const debug = (version: string) => cargo.at?.(version).env["CARGO_PROFILE_TEST_DEBUG"];
  expect(["1.70.0", "1.71.0"].map(debug)).toEqual(["1", "line-tables-only"]);
});

test("targets are selected only if all requested files are targets", () => {
  const request = { entry: null, project: "/p", report: "/r", node: "/n", target: "t", timeoutMs: 60_000 };
  const own = `target.t.runner=["/n","${cargo.assets[0]}","-","30000"]`;
  const start = ["test", "--offline", "--workspace", "--no-fail-fast", "--config"];
  expect(cargo.argv({ ...request, files: ["tests/a.rs", "x/tests/b/main.rs"], shuffle: false })).toEqual([
    ...start,
    own,
    "--test=a",
    "--test=b",
    "--",
    "--test-threads=1",
  ]);
  expect(cargo.argv({ ...request, files: ["src/lib.rs", "tests/a.rs"], shuffle: true, seed: 7 })).toEqual([
    ...start,
    own.replace('"-"', '"7"'),
    "--",
    "--test-threads=1",
  ]);
});
