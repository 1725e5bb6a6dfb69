/** The name of a failed check as people read it. */
const titles: Readonly<Record<string, string>> = {
  not_empty: "no test of this change",
  fails: "tests that pass without the change",
  right_reason: "tests that fail without the change, for another reason",
  load: "tests that do not load on the base",
  old_tests: "old tests that are lost",
  no_skip: "tests that are skipped",
  tautology: "tests that pass whatever the code does",
  can_fail: "tests that cannot fail",
  asserts: "tests that assert nothing",
  mocks: "tests that replace what they test",
  snapshots: "snapshots that are not stored",
  criteria: "criteria without a test",
  stable: "tests that are not stable",
  unique: "tests of one name",
  old_text: "old tests whose text was changed",
  weakened: "old tests that ask for less",
  required: "tests that do not pass",
  regressions: "what worked before",
  frozen: "changed tests",
  canary: "replaced matchers",
  characterized: "tests of existing behaviour that would notice no fault",
  executed_criteria: "criteria whose tests execute no changed line",
  flip: "tests that pass with wrong values",
  surrounding: "tests that pass in one place only",
  hard_coded: "answers for the inputs of tests only",
  links: "links that leave the repository",
  shown: "tests that could not be tried without the change",
  unchanged: "the suite",
  paths: "paths",
  apart: "tests and source in one commit",
  interface: "what others call",
  red: "the RED commit",
};

export function titleOf(name: string): string {
  return titles[name.replace(/^(?:red|green)\./, "")] ?? name;
}
