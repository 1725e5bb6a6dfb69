/** Variables of every prompt template; families add their own. */
export const plainVariableNames = [
  "task",
  "allowed_codes",
  "attempt",
  "limit",
  "paths_tests",
  "paths_source",
  "test_command",
  "spec",
  "architecture",
  "tests",
  "red_output",
  "green_output",
  "source",
  "omitted",
  "questions_and_answers",
  "failures",
  "issues",
  "dispute",
  "reason",
  "context",
  "answer",
  "approach",
  "open_findings",
] as const;

export type PromptVariables = Readonly<
  Partial<Record<(typeof plainVariableNames)[number], string | undefined>>
>;
