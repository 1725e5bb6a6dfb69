/** Checks the contract suite of a scaffold: it loads, and its new tests fail because nothing is implemented yet (V3-29). */
import { titleOfTest } from "../../evidence/test-ids.ts";
import { failed, shortList, passed, unclear } from "../check.ts";
import type { PathRules } from "../../source/paths.ts";
import { wrongReason } from "../red/red-reason.ts";
import type { Suite } from "../suite/suite.ts";
import { isScript } from "../../source/syntax.ts";
import { testTexts, type SourceMark } from "../../source/test-marks-javascript.ts";
import type { Check } from "../verdict.ts";

export interface ContractFacts {
  readonly suite: Suite;
  readonly contractSuite: string;
  /** Ids of tests that existed before with the same text; they may pass already. */
  readonly old: readonly string[];
  readonly rules: PathRules;
  /** Marks in the suite's text: hidden tests, and tests without an assertion. */
  readonly marks: readonly SourceMark[];
}

export function judgeContract(facts: ContractFacts): readonly Check[] {
  const { suite, old } = facts;
  const failure = loadFailure(facts);
  if (failure !== null) return [failure];
  const fresh = suite.report.tests.filter(({ id }) => !old.includes(id));
  const ids = fresh.map(({ id }) => id);
  const passing = fresh.filter(({ status }) => status === "passed").map(({ id }) => id);
  const hidden = fresh.filter(({ status }) => status === "skipped" || status === "todo").map(({ id }) => id);
  const wrong = fresh.flatMap((test) => {
    const why = ["failed", "pending"].includes(test.status) ? wrongReason(test, facts.rules) : null;
    return why === null ? [] : [{ id: test.id, why }];
  });
  const bare = facts.marks.map(({ path, line, what, kind }) => `${path}:${line}: ${kind}: ${what}`);
  return [
    passed("contract_loads", ids),
    passing.length === 0
      ? passed("contract_fails", ids)
      : failed("contract_fails", `passes before anything is implemented: ${shortList(passing)}`, passing),
    wrong.length === 0
      ? passed("contract_reason", ids)
      : failed(
          "contract_reason",
          wrong.map(({ id, why }) => `${id}: ${why}`).join("; "),
          wrong.map(({ id }) => id),
        ),
    hidden.length + bare.length === 0
      ? passed("contract_marks")
      : failed("contract_marks", `each test must run and assert: ${shortList([...bare, ...hidden])}`, hidden),
  ];
}

function loadFailure({ suite, contractSuite }: ContractFacts): Check | null {
  const { report, environment, timedOut, exitCode } = suite;
  if (environment !== null) return unclear("contract_loads", environment);
  if (timedOut) return unclear("contract_loads", "the contract suite did not end in time");
  if (!report.report)
    return unclear(
      "contract_loads",
      `the runner left no complete, readable report (exit code ${exitCode ?? "none"})`,
    );
  const [error] = report.loadErrors;
  if (error !== undefined)
    return failed("contract_loads", `${error.file} does not load: ${error.message.split("\n")[0] ?? ""}`);
  const ended = report.problems.find(({ code }) => code === "early_exit" || code === "killed");
  if (ended !== undefined) return failed("contract_loads", `${ended.code}: ${ended.message}`);
  if (report.tests.length === 0) return failed("contract_loads", `${contractSuite} holds no test`);
  return null;
}

/**
 * The previously locked ids whose tests still have the same text.
 * @param now the suite's text; null where the file does not exist on that side
 */
export function unchangedTests(
  path: string,
  {
    ids,
    before,
    now,
  }: { readonly ids: readonly string[]; readonly before: string | null; readonly now: string | null },
): readonly string[] {
  if (before === null || now === null) return [];
  if (before === now) return ids;
  if (!isScript(path)) return ids;
  const [old, fresh] = [testTexts(before), testTexts(now)];
  return ids.filter((id) => {
    const title = titleOfTest(id);
    const text = old.get(title);
    return text === undefined ? !fresh.has(title) : text === fresh.get(title);
  });
}
