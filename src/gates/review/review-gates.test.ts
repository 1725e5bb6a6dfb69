import { expect, test } from "vitest";
import { verifies } from "../../../test/verifies.ts";
import {
  judgeGate1,
  judgeGate2,
  judgeGate3,
  type GateReview,
  type OwnTestRun,
  type TestGateInput,
} from "./review-gates.ts";

const documents = { spec: "sha256:1", architecture: "sha256:2" };
const commit = { commit: "c1" };

function review(label: string, more: Partial<GateReview> = {}): GateReview {
  return { label, verdict: "APPROVED", fields: {}, reviewed: documents, ...more };
}

function own(more: Partial<OwnTestRun> = {}): OwnTestRun {
  return { verdict: "pass", commit: "c1", exitCode: 0, ...more };
}

function bits(count: number): readonly (readonly boolean[])[] {
  return Array.from({ length: 2 ** count }, (_row, row) =>
    Array.from({ length: count }, (_bit, bit) => (row & (1 << bit)) === 0),
  );
}

test("gate 1 passes only when both verdicts are APPROVED for the current content", () => {
  const rows = bits(4).map(([a, b, currentA, currentB]) => {
    const given = (label: string, approved: boolean | undefined, current: boolean | undefined): GateReview =>
      review(label, {
        verdict: approved ? "APPROVED" : "NEEDS_WORK",
        reviewed: current ? documents : { ...documents, architecture: "sha256:old" },
      });
    const input = { first: given("Gemini", a, currentA), second: given("Claude", b, currentB) };
    return judgeGate1({ ...input, current: documents, singleReviewer: false }).verdict;
  });
  expect(rows).toEqual(["pass", ...Array.from({ length: 15 }, () => "fail")]);
});

test("gate 1 names the document that changed after the review", () => {
  const verdict = judgeGate1({
    first: review("Gemini"),
    second: review("Claude"),
    current: { ...documents, architecture: "sha256:3" },
    singleReviewer: false,
  });
  expect(verdict.checks.filter(({ verdict: is }) => is === "fail").map(({ reason }) => reason)).toEqual([
    "architecture changed since Gemini's review; it must review again",
    "architecture changed since Claude's review; it must review again",
  ]);
});

test("a review that is missing or cannot be read is inconclusive, never a pass", () => {
  const input = { current: documents, singleReviewer: false };
  expect(judgeGate1({ ...input, first: null, second: review("Claude") }).outcome).toBe("inconclusive");
  for (const verdict of ["inconclusive", "empty"] as const)
    expect(
      judgeGate1({ ...input, first: review("Gemini"), second: review("Claude", { verdict }) }).outcome,
    ).toBe("inconclusive");
});

verifies("ORC-29", "of the 32 rows of gate 2 exactly one passes: all five inputs as required", () => {
  const rows = bits(5).map(([first, second, check, valid, red]) => ({
    row: [first, second, check, valid, red],
    verdict: judgeGate2({
      first: review("Gemini", {
        verdict: first ? "APPROVED" : "NEEDS_WORK",
        fields: { RED_PHASE_CHECK: check ? "YES" : "NO" },
        reviewed: commit,
      }),
      second: review("Claude", {
        verdict: second ? "APPROVED" : "NEEDS_WORK",
        fields: { RED_PHASE_VALID: valid ? "YES" : "NO" },
        reviewed: commit,
      }),
      current: commit,
      singleReviewer: false,
      commit: "c1",
      own: own({ verdict: red ? "pass" : "fail", exitCode: red ? 0 : 1 }),
    }).verdict,
  }));
  expect(rows).toHaveLength(32);
  expect(rows.filter(({ verdict }) => verdict === "pass").map(({ row }) => row)).toEqual([
    [true, true, true, true, true],
  ]);
  expect(rows.filter(({ verdict }) => verdict === "fail")).toHaveLength(31);
});

test("gate 2 needs Mettle's RED verdict of exactly the reviewed commit", () => {
  const input: TestGateInput = {
    first: review("Gemini", { fields: { RED_PHASE_CHECK: "YES" }, reviewed: commit }),
    second: review("Claude", { fields: { RED_PHASE_VALID: "YES" }, reviewed: commit }),
    current: commit,
    singleReviewer: false,
    commit: "c1",
    own: own(),
  };
  expect(judgeGate2(input).outcome).toBe("pass");
  expect(judgeGate2({ ...input, own: null }).outcome).toBe("fail");
  expect(judgeGate2({ ...input, own: own({ commit: "c0" }) }).outcome).toBe("fail");
  expect(judgeGate2({ ...input, own: own({ verdict: "inconclusive" }) }).outcome).toBe("inconclusive");
});

function gate3(
  more: Partial<TestGateInput> & { readonly check?: string; readonly exitCode?: string } = {},
): TestGateInput {
  const { check = "YES", exitCode = "0", ...rest } = more;
  return {
    first: review("Gemini", { fields: { EXECUTION_CHECK: check }, reviewed: commit }),
    second: review("Claude", { fields: { EXIT_CODE: exitCode }, reviewed: commit }),
    current: commit,
    singleReviewer: false,
    commit: "c1",
    own: own(),
    ...rest,
  };
}

verifies(
  "ORC-33",
  "gate 3 passes on both approvals, EXECUTION_CHECK and Mettle's GREEN; only its exit code counts",
  () => {
    const rows = bits(4).map(([first, second, check, green]) => {
      const input = gate3({
        check: check ? "YES" : "NO",
        own: own({ verdict: green ? "pass" : "fail", exitCode: green ? 0 : 1 }),
      });
      return judgeGate3({
        ...input,
        first: { ...review("Gemini"), ...input.first, verdict: first ? "APPROVED" : "NEEDS_WORK" },
        second: { ...review("Claude"), ...input.second, verdict: second ? "APPROVED" : "NEEDS_WORK" },
      }).verdict;
    });
    expect(rows).toEqual(["pass", ...Array.from({ length: 15 }, () => "fail")]);

    const optimist = judgeGate3(gate3({ exitCode: "0", own: own({ verdict: "fail", exitCode: 1 }) }));
    expect(optimist.outcome).toBe("fail");
    expect(optimist.findings.map(({ message }) => message)).toEqual([
      "Claude says EXIT_CODE 0, Mettle's record says 1; only Mettle's counts",
    ]);
    const pessimist = judgeGate3(gate3({ exitCode: "1" }));
    expect(pessimist.outcome).toBe("pass");
    expect(pessimist.findings).toEqual([
      {
        code: "exit_code_differs",
        severity: "finding",
        message: "Claude says EXIT_CODE 1, Mettle's record says 0; only Mettle's counts",
      },
    ]);
    expect(judgeGate3(gate3()).findings).toEqual([]);
  },
);

test("without reviewer 1 the gate is marked and still needs reviewer 2 with its fields", () => {
  const mark = {
    code: "single_reviewer",
    severity: "finding",
    message: "single-reviewer: reviewer 1 did not answer, only reviewer 2 judged",
  };
  for (const first of [null, review("Gemini", { verdict: "empty", reviewed: commit })]) {
    const passes = judgeGate3(gate3({ first, singleReviewer: true }));
    expect([passes.outcome, passes.findings]).toEqual(["pass", [mark]]);
    const second = review("Claude", { verdict: "NEEDS_WORK", fields: { EXIT_CODE: "0" }, reviewed: commit });
    expect(judgeGate3(gate3({ first, second, singleReviewer: true })).outcome).toBe("fail");
    expect(judgeGate3(gate3({ first, singleReviewer: false })).outcome).toBe("inconclusive");
  }
});

test("the exception applies neither to a reviewer that did answer nor to reviewer 2", () => {
  const first = review("Gemini", {
    verdict: "NEEDS_WORK",
    fields: { EXECUTION_CHECK: "YES" },
    reviewed: commit,
  });
  expect(judgeGate3(gate3({ first, singleReviewer: true })).outcome).toBe("fail");
  expect(judgeGate3(gate3({ second: null, singleReviewer: true })).outcome).toBe("inconclusive");
  expect(judgeGate3(gate3({ first: null, second: null, singleReviewer: true })).outcome).toBe("inconclusive");
});
