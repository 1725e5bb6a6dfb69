/**
 * The answer format of each reviewer: one for each `reply` name of protocols/orchestrate/protocol.yaml. The templates
 * contain the same lines; a test compares them.
 */
export interface ReviewFormat {
  readonly name: ReplyName;
  readonly gate: 1 | 2 | 3;
  /** Required fields besides VERDICT, in template order. */
  readonly fields: readonly ReviewField[];
  /** The file that the reviewer writes in its workspace; null where its answer is the review. */
  readonly file: string | null;
  readonly tools: readonly string[];
  readonly model: string | null;
}

export interface ReviewField {
  readonly name: string;
  readonly kind: FieldKind;
  /** The placeholder in the template; an answer that still contains it was not filled in. */
  readonly placeholder: string;
}

/**
 * `yes-no`: exactly YES or NO. `yes-no-list`: YES, or NO with what is missing. `coverage`: one line per requirement.
 * `exit-code`: a number or UNVERIFIED. `issues`: to fix with NEEDS_WORK; `critical`: to fix with any verdict.
 * `security`, `warnings`: to fix with NEEDS_WORK. `advice`: never to fix. `text`: an assessment.
 */
export type FieldKind =
  | "yes-no"
  | "yes-no-list"
  | "coverage"
  | "exit-code"
  | "issues"
  | "critical"
  | "security"
  | "warnings"
  | "advice"
  | "text";

export type ReplyName =
  "plan-gemini" | "plan-claude" | "tests-gemini" | "tests-claude" | "code-gemini" | "code-claude";

const reading = ["Read", "Glob", "Grep", "Write"];

export const reviewFormats: Readonly<Record<ReplyName, ReviewFormat>> = {
  "plan-gemini": {
    name: "plan-gemini",
    gate: 1,
    fields: [
      {
        name: "ISSUES",
        kind: "issues",
        placeholder: "[list any problems with requirements, architecture, or feasibility]",
      },
      { name: "SUGGESTIONS", kind: "advice", placeholder: "[improvements]" },
    ],
    file: null,
    tools: [],
    model: null,
  },
  "plan-claude": {
    name: "plan-claude",
    gate: 1,
    fields: [
      { name: "ISSUES", kind: "issues", placeholder: "[list]" },
      { name: "SUGGESTIONS", kind: "advice", placeholder: "[list]" },
    ],
    file: "plan-review.md",
    tools: reading,
    model: "opus",
  },
  "tests-gemini": {
    name: "tests-gemini",
    gate: 2,
    fields: [
      { name: "COVERAGE_CHECK", kind: "yes-no-list", placeholder: "[YES|NO - list missing]" },
      { name: "RED_PHASE_CHECK", kind: "yes-no", placeholder: "[YES|NO]" },
      { name: "ISSUES", kind: "issues", placeholder: "[list any problems]" },
    ],
    file: null,
    tools: [],
    model: null,
  },
  "tests-claude": {
    name: "tests-claude",
    gate: 2,
    fields: [
      { name: "RED_PHASE_VALID", kind: "yes-no", placeholder: "[YES|NO]" },
      {
        name: "COVERAGE",
        kind: "coverage",
        placeholder: "[list which spec requirements are/aren't covered]",
      },
      { name: "ISSUES", kind: "issues", placeholder: "[list]" },
    ],
    file: "test-review.md",
    tools: [...reading, "Bash"],
    model: null,
  },
  "code-gemini": {
    name: "code-gemini",
    gate: 3,
    fields: [
      { name: "EXECUTION_CHECK", kind: "yes-no", placeholder: "[YES|NO]" },
      { name: "CODE_QUALITY", kind: "text", placeholder: "[assessment]" },
      { name: "SECURITY_ISSUES", kind: "security", placeholder: "[any vulnerabilities found]" },
      { name: "ISSUES", kind: "issues", placeholder: "[list any problems]" },
    ],
    file: null,
    tools: [],
    model: null,
  },
  "code-claude": {
    name: "code-claude",
    gate: 3,
    fields: [
      { name: "EXIT_CODE", kind: "exit-code", placeholder: "[from test run]" },
      { name: "CRITICAL_ISSUES", kind: "critical", placeholder: "[must fix]" },
      { name: "WARNINGS", kind: "warnings", placeholder: "[should fix]" },
      { name: "SUGGESTIONS", kind: "advice", placeholder: "[nice to have]" },
    ],
    file: "code-review.md",
    tools: [...reading, "Bash"],
    model: null,
  },
};

export function isReplyName(name: string): name is ReplyName {
  return Object.hasOwn(reviewFormats, name);
}

/** The lines of the format, as the template prints them. */
export function formatLines(format: ReviewFormat): readonly string[] {
  return [
    "VERDICT: [APPROVED|NEEDS_WORK]",
    ...format.fields.map((field) => `${field.name}: ${field.placeholder}`),
  ];
}
