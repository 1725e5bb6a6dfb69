import { cycleVariableNames } from "../../families/cycles/variable-names.ts";
import { stepsVariableNames } from "../../families/steps/variable-names.ts";

/** Every name that a prompt template may use. */
export const variableNames = [
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
  ...cycleVariableNames,
  ...stepsVariableNames,
] as const;

export type PromptVariables = Readonly<Partial<Record<(typeof variableNames)[number], string | undefined>>>;
