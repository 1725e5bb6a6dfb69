import { expect, test } from "vitest";
import { judge, withoutPreExisting, type Suite } from "../gates/suite/suite.ts";
import { mergeSuites, withPrefix } from "./merge.ts";

function suite(
  exitCode: number | null,
  statuses: readonly ("passed" | "failed")[],
  more: Partial<Suite> = {},
): Suite {
  const tests = statuses.map((status, at) => ({ id: `t${at}`, status, kind: null, message: "", frames: [] }));
  const report = { report: true, tests, loadErrors: [], problems: [] };
  return { report, exitCode, timedOut: false, environment: null, ...more };
}

const inPackage = (prefix: string, run: Suite) => ({
  prefix,
  suite: { ...run, report: withPrefix(run.report, prefix) },
});

test("an unexplained exit code is not hidden by failures in another package that exist on the base", () => {
  const broken = inPackage("a/", suite(1, ["failed"]));
  const base = mergeSuites([broken, inPackage("b/", suite(0, ["passed"]))], false);
  const now = mergeSuites([broken, inPackage("b/", suite(1, ["passed"]))], false);
  const { suite: left, preExisting } = withoutPreExisting(now, base);
  expect(preExisting).toEqual(["a/t0"]);
  expect(judge(left, [])).toMatchObject({
    verdict: "inconclusive",
    reasons: ["other tests: interrupted: b: the runner's exit code is 1, though nothing failed"],
  });
  expect(judge(withoutPreExisting(base, base).suite, ["b/t0"]).verdict).toBe("pass");
});

test("a fault of one package is one of all: report, time, machine, end by a signal", () => {
  const good = inPackage("a/", suite(0, ["passed"]));
  const with_ = (bad: Suite) => mergeSuites([good, inPackage("b/", bad)], false);
  const report = { report: false, tests: [], loadErrors: [], problems: [] };
  expect(with_(suite(0, [], { report })).report.report).toBe(false);
  expect(with_(suite(null, [], { timedOut: true })).timedOut).toBe(true);
  expect(with_(suite(0, [], { environment: "no disk" })).environment).toBe("no disk");
  expect(with_(suite(null, ["passed"])).exitCode).toBe(null);
  expect(with_(suite(101, ["failed"])).exitCode).toBe(101);
  expect(with_(suite(0, ["passed"])).exitCode).toBe(0);
});

test("the run of a repository of one package is unchanged", () => {
  const run = suite(1, ["passed"]);
  expect(mergeSuites([{ prefix: "", suite: run }], true)).toBe(run);
});
