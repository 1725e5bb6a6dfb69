/** Decides from facts of the runs which role is at fault when tests of a cycle fail in GREEN (TDP-27). Pure. */
import { fileOfTest } from "../../evidence/test-ids.ts";
import type { TestResult } from "../../evidence/test-result.ts";
import { shortList } from "../check.ts";
import { kindOf, type PathRules } from "../../source/paths.ts";
import { statusOf, type Suite } from "../suite/suite.ts";
import type { Finding, Verdict } from "../verdict.ts";

export type FailureOwner = "qa" | "de" | "undetermined";

export interface FailureFacts {
  readonly required: readonly string[];
  /** Tests of the judged run. */
  readonly tests: readonly TestResult[];
  /** Further runs of the same files on the same tree. */
  readonly repeats: readonly Suite[];
  /** Tests from before this cycle that fail now. */
  readonly lost: readonly string[];
  readonly rules: PathRules;
  /** Test files whose own code ends the process. */
  readonly ending: readonly string[];
}

export interface TestFailure {
  readonly fault: FailureOwner;
  readonly failing: readonly string[];
}

/** One finding for the class of the whole failure, then one per failing test. */
export function classifyFailure(facts: FailureFacts): readonly Finding[] {
  const failing = failingOf(facts).map((id) => ({ id, ...classOf(id, facts) }));
  const lost = facts.lost
    .filter((id) => !facts.required.includes(id))
    .map((id) => ({ id, fault: "de" as const, why: "an earlier test that passed before fails now" }));
  const all = [...failing, ...lost];
  const classes = new Set(all.map(({ fault }) => fault));
  const [only = "undetermined"] = classes;
  const fault: FailureOwner = classes.size === 1 ? only : "undetermined";
  const words = { qa: "the tests", de: "the implementation", undetermined: "tests or implementation" };
  return [
    {
      code,
      severity: "block",
      message: `${fault} (fault in ${words[fault]}): ${shortList(all.map(({ id }) => id))}`,
    },
    ...all.map(({ id, fault: one, why }): Finding => ({
      code,
      severity: "finding",
      message: `${one}: ${id}: ${why}`,
      testId: id,
    })),
  ];
}

/** Reads the gate's classification from its verdict; null where no test failed. */
export function testFailureOf({ findings }: Pick<Verdict, "findings">): TestFailure | null {
  const failures = findings.filter((finding) => finding.code === code);
  const whole = failures.find(({ testId }) => testId === undefined);
  const fault = /^(qa|de|undetermined) /.exec(whole?.message ?? "")?.[1] as FailureOwner | undefined;
  if (fault === undefined) return null;
  return { fault, failing: failures.flatMap(({ testId }) => (testId === undefined ? [] : [testId])) };
}

const code = "test_failure";

/** Required tests that did not pass in the judged run. */
function failingOf({ required, tests }: FailureFacts): readonly string[] {
  const passed = new Set(tests.filter(({ status }) => status === "passed").map(({ id }) => id));
  return required.filter((id) => !passed.has(id));
}

interface FailureClass {
  readonly fault: FailureOwner;
  readonly why: string;
}

function classOf(id: string, facts: FailureFacts): FailureClass {
  const again = facts.repeats.filter((suite) => statusOf(suite).get(id) === "passed").length;
  if (again > 0)
    return { fault: "qa", why: `flaky: it passed in ${again} of ${facts.repeats.length} further runs` };
  const test = facts.tests.find((one) => one.id === id);
  return test === undefined || test.kind === null
    ? classifyMissing(id, facts)
    : classifyReported(test, facts);
}

function classifyReported(test: TestResult, facts: FailureFacts): FailureClass {
  const { kind, message, frames } = test;
  const first = message.split("\n")[0] ?? "";
  if (kind === "assertion" || kind === "not-implemented") return { fault: "de", why: first };
  if (kind === "crash" && facts.ending.includes(fileOfTest(test.id)))
    return { fault: "qa", why: "its own code ends the process" };
  const [inner] = frames;
  const place = inner === undefined ? null : kindOf(inner.replace(/:\d+(:\d+)?$/, ""), facts.rules);
  if (place === "source") return { fault: "de", why: `${first} (${inner})` };
  // The test names something undefined, or its own hook fails: no implementation could pass.
  const own =
    kind === "hook" || kind === "load" || /\b(ReferenceError|SyntaxError|NameError)\b/.test(message);
  return { fault: place !== null && own ? "qa" : "undetermined", why: first };
}

/** Classifies a test that is not in the report: its file did not load, or its process ended first. */
function classifyMissing(id: string, { repeats, rules, ending }: FailureFacts): FailureClass {
  const file = fileOfTest(id);
  const reports = repeats.map(({ report }) => report);
  const error = reports.flatMap(({ loadErrors }) => loadErrors).find((one) => one.file === file);
  if (error !== undefined) {
    const first = error.message.split("\n")[0] ?? "";
    const named = [...error.message.matchAll(/[\p{L}\p{N}_@./-]+\.\w+/gu)].map(([path]) =>
      path.replace(/^(\.{1,2}\/)+/, ""),
    );
    const source = named.some((path) => kindOf(path, rules) === "source");
    if (source) return { fault: "de", why: `its file does not load: ${first}` };
    const own = named.some((path) => path === file || path.endsWith(`/${file}`));
    return { fault: own ? "qa" : "undetermined", why: `its file does not load: ${first}` };
  }
  const ended = reports.flatMap(({ problems }) => problems).some((problem) => problem.file === file);
  if (ending.includes(file)) return { fault: "qa", why: "the code of its file ends the process" };
  return ended
    ? { fault: "de", why: "the code ends the process before it" }
    : { fault: "undetermined", why: "it is not in the report" };
}

/** Whether the code of a test file ends its own process. */
export function endsProcess(text: string): boolean {
  return /\bprocess\s*\.\s*(?:exit|abort|kill)\s*\(|\b(?:sys\.exit|os\._exit|os\.abort|os\.Exit|process::(?:exit|abort))\s*\(/.test(
    text,
  );
}
