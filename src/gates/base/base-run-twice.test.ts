import { expect, test } from "vitest";
import { verifies } from "../../../test/verifies.ts";
import type { TestResult } from "../../evidence/test-result.ts";
import { checkUnchanged } from "../suite/change.ts";
import { steadyBase } from "./base-run-twice.ts";
import { judgeSuite, steadyRequired } from "../suite/suite-checks.ts";
import { noTests, regressions, type Suite } from "../suite/suite.ts";

function suite(statuses: Record<string, TestResult["status"]>, more: Partial<Suite> = {}): Suite {
  const tests = Object.entries(statuses).map(([id, status]) => ({
    id,
    status,
    kind: status === "failed" ? ("assertion" as const) : null,
    message: "",
    frames: [],
  }));
  const exitCode = tests.some(({ status }) => status === "failed") ? 1 : 0;
  return { ...noTests, exitCode, report: { ...noTests.report, tests }, ...more };
}

verifies("CORE-29", "two runs of a base are as good as the worse of them, for each test", () => {
  const first = suite({ "a::1": "passed", "a::2": "passed", "a::3": "failed", "a::4": "passed" });
  const base = steadyBase(first, suite({ "a::1": "passed", "a::2": "failed", "a::3": "passed" }));
  expect(base.wavering).toEqual(["a::2", "a::3", "a::4"]);
  const head = suite({ "a::1": "passed", "a::2": "failed", "a::3": "failed" });
  expect(regressions(head, first)).toEqual(["a::2", "a::4"]);
  expect(regressions(head, base)).toEqual([]);
  expect(checkUnchanged(base, head).verdict).toBe("inconclusive");
  expect(checkUnchanged(base, suite({ "a::1": "failed" })).verdict).toBe("fail");
  expect(steadyBase(first, first)).toBe(first);
});

verifies("CORE-29", "an old required test that is flaky is not required, a lost one is", () => {
  const required = ["a::1", "a::2"];
  const baseline = suite({ "a::1": "passed", "a::2": "passed" });
  const now = suite({ "a::1": "passed", "a::2": "failed" });
  const judged = (facts: { readonly baseline: Suite; readonly confirm: Suite | null }) => {
    const all = { suite: now, required, redHasResult: true, ...facts };
    return [steadyRequired(all).join(), ...judgeSuite(all).map(({ verdict }) => verdict)];
  };
  expect(judged({ baseline, confirm: baseline })).toEqual(["a::1", "pass", "pass"]);
  expect(judged({ baseline: steadyBase(baseline, now), confirm: now })).toEqual(["a::1", "pass", "pass"]);
  expect(judged({ baseline, confirm: now })).toEqual(["a::1,a::2", "fail", "pass"]);
});

verifies("CORE-29", "a base that gives no report when it runs again makes the answer inconclusive", () => {
  const first = suite({ "a::1": "passed", "a::2": "passed" });
  const silent = steadyBase(first, suite({}, { timedOut: true }));
  const now = suite({ "a::1": "passed", "a::2": "failed" });
  const checks = judgeSuite({
    suite: now,
    confirm: now,
    baseline: silent,
    required: ["a::1"],
    redHasResult: true,
  });
  expect(checks.map(({ verdict, reason }) => `${verdict}: ${reason}`)).toEqual([
    "inconclusive: the base commit's own tests gave no report in time when they ran again, so nothing can be compared",
  ]);
});

verifies(
  "CORE-29",
  "old tests that do not finish, on a base that leaves others unfinished, are inconclusive",
  () => {
    const first = suite({ "a::1": "passed", "a::2": "passed", "a::3": "passed" });
    const baseline = steadyBase(first, suite({ "a::1": "passed", "a::2": "passed", "a::3": "pending" }));
    const judged = (status: TestResult["status"]) => {
      const now = suite({ "a::1": "passed", "a::2": status, "a::3": "passed", "a::new": "passed" });
      const checks = judgeSuite({
        suite: now,
        confirm: now,
        baseline,
        required: ["a::new"],
        redHasResult: true,
      });
      return checks.map(({ verdict }) => verdict);
    };
    expect(judged("pending")).toEqual(["pass", "inconclusive"]);
    expect(judged("failed")).toEqual(["fail", "fail"]);
    expect(judged("passed")).toEqual(["pass", "pass"]);
  },
);

test("a required test that does not finish is a doubt that names the base, where the base leaves tests unfinished", () => {
  const calm = suite({ "a::1": "passed", "a::2": "passed" });
  const judged = (baseline: Suite, status: TestResult["status"], other: TestResult["status"] = "passed") => {
    const now = suite({ "a::1": other, "a::2": "passed", "a::new": status }, { exitCode: 1 });
    const facts = { suite: now, confirm: now, baseline, required: ["a::1", "a::new"], redHasResult: true };
    const [required] = judgeSuite(facts);
    return `${required?.verdict}: ${required?.reason.split(", so nothing")[0]}`;
  };
  const named = "inconclusive: runs of the base commit leave tests unfinished without the change";
  expect(judged(suite({ "a::1": "passed", "a::2": "pending" }), "pending")).toBe(named);
  expect(judged(steadyBase(calm, suite({ "a::1": "passed" })), "pending")).toBe(named);
  expect(judged(calm, "pending")).toBe(
    "inconclusive: exit code: it is 1, not 0; required tests: 1 never finished: a::new",
  );
  expect(judged(suite({ "a::1": "passed", "a::2": "pending" }), "failed")).toMatch(/^fail: /u);
  expect(judged(suite({ "a::1": "passed", "a::2": "pending" }), "pending", "failed")).toMatch(/^fail: /u);
  // An old test whose new text is required is no missing test, and no excused one.
  const broken = suite({ "a::1": "passed", "a::2": "passed", "a::new": "failed" });
  expect(judged(broken, "failed")).toBe("fail: exit code: it is 1, not 0; required tests: 1 failed: a::new");
  expect(judged(suite({ "a::new": "pending", "a::2": "passed" }), "pending")).toBe(named);
});
