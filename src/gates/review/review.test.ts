import { expect, test } from "vitest";
import { verifies } from "../../../test/verifies.ts";
import { reviewFormats, type ReplyName } from "./review-formats.ts";
import { isTestIssue, parseReview, readReview } from "./review.ts";
import { short } from "./fixtures/short.ts";

const formats = reviewFormats;

/** A complete, approving answer of each format. */
const good: Readonly<Record<ReplyName, string>> = {
  "plan-gemini": "VERDICT: APPROVED\nISSUES: none\nSUGGESTIONS: none",
  "plan-claude": "VERDICT: APPROVED\nISSUES: none\nSUGGESTIONS:\n- name the limit\n- cache it",
  "tests-gemini": "VERDICT: APPROVED\nCOVERAGE_CHECK: YES\nRED_PHASE_CHECK: YES\nISSUES: none",
  "tests-claude":
    "VERDICT: APPROVED\nRED_PHASE_VALID: YES\nCOVERAGE:\n- FR1: covered\n- EC1: covered by `gives []`\nISSUES: none",
  "code-gemini":
    "VERDICT: APPROVED\nEXECUTION_CHECK: YES\nCODE_QUALITY: small and clear\nSECURITY_ISSUES: none\nISSUES: none",
  "code-claude":
    "VERDICT: APPROVED\nEXIT_CODE: 0\nCRITICAL_ISSUES: none\nWARNINGS:\n- src/a.js: long line\nSUGGESTIONS: none",
};

const names = Object.keys(good).filter((name): name is ReplyName => name in formats);

test("a file that agrees with the report is the review; without a file the answer is", () => {
  const format = formats["plan-claude"];
  const file = good["plan-claude"];
  const approved = {
    type: "verdict",
    verdict: "APPROVED",
    outcome: "APPROVED",
    reason: "",
    fields: { ISSUES: "none", SUGGESTIONS: "- name the limit\n- cache it" },
    issues: [],
    suggestions: ["name the limit", "cache it"],
  };
  expect(readReview({ answer: "Review written.\n→APPROVED: fine", file }, format)).toEqual(approved);
  expect(readReview({ answer: "", file, reported: "APPROVED" }, format)).toEqual(approved);
  expect(readReview({ answer: file, file: null }, format)).toEqual(approved);
  expect(readReview({ answer: "→APPROVED: fine", file: null }, format).type).toBe("inconclusive");
  expect(readReview({ answer: "", file: "\n" }, format)).toEqual({ type: "empty" });
});

test.each(names)("a complete answer is accepted with its literal fields: %s", (name) => {
  const review = parseReview(good[name], formats[name]);
  expect(review).toMatchObject({ type: "verdict", outcome: "APPROVED", reason: "", issues: [] });
  if (review.type === "verdict")
    expect(Object.keys(review.fields)).toEqual(formats[name].fields.map((field) => field.name));
});

test.each(names)("each field removed in turn gives inconclusive: %s", (name) => {
  for (const field of formats[name].fields) {
    const text = good[name].replace(`\n${field.name}:`, "\nRemark:");
    expect(short(parseReview(text, formats[name]))).toBe(`inconclusive: the field ${field.name} is missing`);
  }
});

test.each<[ReplyName, string, string, string]>([
  [
    "tests-claude",
    "RED_PHASE_VALID: YES",
    "RED_PHASE_VALID: MAYBE",
    "RED_PHASE_VALID is not YES or NO: MAYBE",
  ],
  ["tests-claude", "RED_PHASE_VALID: YES", "RED_PHASE_VALID: yes", "RED_PHASE_VALID is not YES or NO: yes"],
  [
    "tests-gemini",
    "RED_PHASE_CHECK: YES",
    "RED_PHASE_CHECK: YES, mostly",
    "RED_PHASE_CHECK is not YES or NO: YES, mostly",
  ],
  ["tests-gemini", "RED_PHASE_CHECK: YES", "RED_PHASE_CHECK:", "RED_PHASE_CHECK is not YES or NO: "],
  [
    "tests-gemini",
    "COVERAGE_CHECK: YES",
    "COVERAGE_CHECK: YES - but EC2",
    "COVERAGE_CHECK is not YES, or NO with what is missing: YES - but EC2",
  ],
  [
    "tests-gemini",
    "COVERAGE_CHECK: YES",
    "COVERAGE_CHECK: NOT SURE",
    "COVERAGE_CHECK is not YES, or NO with what is missing: NOT SURE",
  ],
  [
    "code-gemini",
    "EXECUTION_CHECK: YES",
    "EXECUTION_CHECK: [YES|NO]",
    "the field EXECUTION_CHECK was not filled in",
  ],
  [
    "code-claude",
    "EXIT_CODE: 0",
    "EXIT_CODE: all passed",
    "EXIT_CODE is not a number or UNVERIFIED: all passed",
  ],
])("a value that is not exact gives inconclusive: %s %s -> %s", (name, from, to, why) => {
  expect(parseReview(good[name].replace(from, to), formats[name])).toEqual({ type: "inconclusive", why });
});

verifies(
  "ORC-30",
  "an approval that contradicts its own fields is NEEDS_WORK with those items as issues",
  () => {
    const cases: readonly [ReplyName, string, string, readonly string[]][] = [
      [
        "tests-gemini",
        "COVERAGE_CHECK: YES",
        "COVERAGE_CHECK: NO - EC2, ERR1",
        ["COVERAGE_CHECK: NO - EC2, ERR1"],
      ],
      ["tests-gemini", "RED_PHASE_CHECK: YES", "RED_PHASE_CHECK: NO", ["RED_PHASE_CHECK: NO"]],
      ["tests-claude", "RED_PHASE_VALID: YES", "RED_PHASE_VALID: NO", ["RED_PHASE_VALID: NO"]],
      [
        "tests-claude",
        "- EC1: covered by `gives []`",
        "- EC1: not covered",
        ["not covered: EC1: not covered"],
      ],
    ];
    for (const [name, from, to, issues] of cases)
      expect(parseReview(good[name].replace(from, to), formats[name])).toMatchObject({
        type: "verdict",
        verdict: "NEEDS_WORK",
        reason: "contradiction",
        issues,
      });
  },
);

test("an approval with something to fix, or without a passing run, is NEEDS_WORK", () => {
  const critical = good["code-claude"].replace(
    "CRITICAL_ISSUES: none",
    "CRITICAL_ISSUES:\n- SQL is built from input",
  );
  expect(parseReview(critical, formats["code-claude"])).toMatchObject({
    verdict: "NEEDS_WORK",
    reason: "contradiction",
    issues: ["SQL is built from input", "src/a.js: long line"],
  });
  const unproven = good["code-gemini"].replace("EXECUTION_CHECK: YES", "EXECUTION_CHECK: NO");
  expect(parseReview(unproven, formats["code-gemini"])).toMatchObject({
    verdict: "NEEDS_WORK",
    reason: "contradiction",
    issues: ["EXECUTION_CHECK: NO"],
  });
});

test("warnings and security notes of an approval stay literal and are no issues", () => {
  const text = good["code-gemini"].replace(
    "SECURITY_ISSUES: none",
    "SECURITY_ISSUES:\n- none serious;\n  see `a.js`",
  );
  expect(parseReview(text, formats["code-gemini"])).toMatchObject({
    verdict: "APPROVED",
    fields: { SECURITY_ISSUES: "- none serious;\n  see `a.js`" },
    issues: [],
  });
  expect(parseReview(good["code-claude"], formats["code-claude"])).toMatchObject({
    verdict: "APPROVED",
    suggestions: ["src/a.js: long line"],
  });
});

test("a reviewer's other exit code, or none, does not contradict its own approval", () => {
  for (const code of ["1", "137 (SIGKILL)", "UNVERIFIED"])
    expect(
      parseReview(good["code-claude"].replace("EXIT_CODE: 0", `EXIT_CODE: ${code}`), formats["code-claude"]),
    ).toMatchObject({
      verdict: "APPROVED",
      fields: { EXIT_CODE: code },
    });
});

test("an issue about tests sends gate 3 to the test writer, and only gate 3", () => {
  const issue = (text: string): string => `ISSUES:\n- slow loop\n- ${text}`;
  const code = good["code-gemini"].replace("APPROVED", "NEEDS_WORK");
  for (const text of [
    "[tests] EC1 has no test",
    "TESTS: EC1 has no test",
    "[gemini-2] [tests] EC1 has no test",
  ]) {
    expect(
      parseReview(code.replace(/\nISSUES: none$/, `\n${issue(text)}`), formats["code-gemini"]),
    ).toMatchObject({
      outcome: "NEEDS_WORK.tests",
      issues: ["slow loop", text],
    });
  }
  expect(
    short(
      parseReview(code.replace(/\nISSUES: none$/, `\n${issue("no test of speed")}`), formats["code-gemini"]),
    ),
  ).toBe("NEEDS_WORK");
  const tests = good["tests-gemini"]
    .replace("APPROVED", "NEEDS_WORK")
    .replace(/ISSUES: none$/, issue("[tests] vague"));
  expect(short(parseReview(tests, formats["tests-gemini"]))).toBe("NEEDS_WORK");
  expect(["[tests] x", "slow tests: yes", "[a-1] TESTS: x"].map(isTestIssue)).toEqual([true, false, true]);
});

test("items are read from lists of every kind, and empty words are no item", () => {
  const issues = (value: string): readonly string[] => {
    const review = parseReview(
      `VERDICT: NEEDS_WORK\nISSUES: ${value}\nSUGGESTIONS: none`,
      formats["plan-gemini"],
    );
    return review.type === "verdict" ? review.issues : [];
  };
  expect(issues("\n1. one\n   goes on\n2) two\n\n* three")).toEqual(["one goes on", "two", "three"]);
  expect(issues("one\ntwo")).toEqual(["one", "two"]);
  expect(issues("No input check")).toEqual(["No input check"]);
  for (const nothing of ["", "none", "None.", "- none", "N/A", "No issues found.", "-", "[]"])
    expect(issues(nothing)).toEqual([]);
});
