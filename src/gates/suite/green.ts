/** GREEN: the frozen tests pass on a commit that changed source only. */
import { checkControls, idleChecks, type Controls } from "./controls.ts";
import { conclude, failed, shortList, passed } from "../check.ts";
import { checkFlip } from "./flip.ts";
import { checkFrozen, type Hashes } from "./frozen.ts";
import { checkLinks } from "../links.ts";
import type { ChangedLiteral } from "../special-case/answers.ts";
import { checkHardCoded, hardCodedFindings } from "../special-case/hard-coded.ts";
import { checkExecutedCriteria, type CriteriaOfTests } from "./executed-criteria.ts";
import { mutationFindings, type Mutation } from "./mutation.ts";
import type { OldText } from "../red/red-facts.ts";
import { oldTextChecks, oldTextFindings } from "../red/old-text.ts";
import { reviewFindings } from "./review-findings.ts";
import type { ReviewPlace } from "../../source/review/review-places.ts";
import { isOfTests, outsideSource, type PathRules } from "../../source/paths.ts";
import { surroundingChecks, surroundingFindings } from "./surrounding.ts";
import { judgeSuite, suiteFindings, suiteSignature } from "./suite-checks.ts";
import type { Suite } from "./suite.ts";
import { snapshotFindings, type TakenSnapshot } from "./taken-snapshots.ts";
import type { Check, Finding, Verdict } from "../verdict.ts";

export interface GreenFacts {
  /** Paths changed between the RED commit and head. */
  readonly changed: readonly string[];
  readonly rules: PathRules;
  readonly frozen: Hashes;
  readonly now: Hashes;
  /** Frozen paths that the agent tried to change and could not. */
  readonly tried?: readonly string[] | undefined;
  /** Source files in which an inline test was removed or changed. */
  readonly inline?: readonly string[];
  /** Changed symbolic links and submodules that lead out of the tree. */
  readonly links: readonly string[];
  readonly required: readonly string[];
  readonly baseline: Suite;
  /** Whether the same run gave a report on the RED commit: then the change caused a lost report (CORE-14). */
  readonly redHasResult: boolean;
  readonly suite: Suite;
  /** A repeated run, where an old test failed in the first. */
  readonly confirm: Suite | null;
  readonly controls: Controls;
  /** Snapshots that this gate took itself. */
  readonly taken?: readonly TakenSnapshot[];
  /** Literals in changed lines of source and data. */
  readonly literals?: readonly ChangedLiteral[];
  /** Places of changed source at which a person should look. */
  readonly toReview?: readonly ReviewPlace[];
  /** Whether tests notice mutants of the changed lines. */
  readonly mutation?: Mutation | undefined;
  /** Ids of required tests that execute a changed line; null: unknown. */
  readonly executedBy?: readonly string[] | null | undefined;
  /** Criteria that the required tests prove; null where none were given. */
  readonly criteria?: CriteriaOfTests | null | undefined;
  /** The run of old tests that RED changed, with their old text; null where it changed none. */
  readonly oldText?: OldText | null;
  /** Source files changed since the previous attempt, or since RED. */
  readonly iteration: readonly string[];
  readonly oneFilePerIteration: boolean;
  /** A refactoring may change nothing. */
  readonly mayBeEmpty?: boolean | undefined;
  /** Any path except the frozen ones may change: the commit combines the tests of a change with its base. */
  readonly composed?: boolean | undefined;
  /** Ids of old tests that a person accepted as lost. */
  readonly accepted?: readonly string[] | undefined;
  /** The command that accepts a test; default that of a run. */
  readonly accepting?: string | undefined;
}

export function judgeGreen(facts: GreenFacts): Verdict {
  const checks = [
    checkFrozen(facts),
    paths(facts),
    checkLinks(facts.links),
    iteration(facts),
    ...judgeSuite(facts),
    ...oldTextChecks(facts),
    checkControls(facts.controls),
    checkFlip(facts.controls.flip),
    ...surroundingChecks(facts),
    checkHardCoded(facts),
    ...(facts.criteria == null ? [] : [checkExecutedCriteria({ ...facts, criteria: facts.criteria })]),
    ...idleChecks(facts.controls, facts),
  ];
  return conclude({
    checks,
    findings: [
      ...iterationFindings(facts),
      ...suiteFindings(facts),
      ...oldTextFindings(facts),
      ...surroundingFindings(facts),
      ...hardCodedFindings(facts),
      ...reviewFindings(facts.toReview ?? []),
      ...snapshotFindings(facts.taken ?? []),
      ...unmeasured(facts.controls),
      ...(facts.mutation === undefined ? [] : mutationFindings(facts.mutation)),
    ],
    ...(touchesTests(facts) ? { hints: { frozen: "fail.frozen" } } : {}),
    signature: suiteSignature(checks, facts),
  });
}

/** A change of tests or fixtures discards the coder's work; a changed configuration is an ordinary path (ORC-39, ORC-40). */
function touchesTests({ changed, tried = [], rules }: GreenFacts): boolean {
  return [...changed, ...tried].some((path) => isOfTests(path, rules));
}

function paths({ changed, rules, mayBeEmpty = false, composed = false }: GreenFacts): Check {
  if (composed) return passed("paths");
  const outside = outsideSource(changed, rules);
  if (changed.length === 0 && !mayBeEmpty)
    return failed("paths", "nothing changed since the tests were frozen; write the implementation");
  if (outside.length === 0) return passed("paths");
  const source =
    rules.rest === undefined
      ? `source (${shortList(rules.source)}) may change in GREEN`
      : "source may change in GREEN, no test, fixture or configuration";
  return failed("paths", `only ${source}; also changed: ${shortList(outside)}`);
}

function iteration({ iteration: files, oneFilePerIteration }: GreenFacts): Check {
  if (!oneFilePerIteration || files.length <= 1) return passed("one_file");
  return failed(
    "one_file",
    `one source file for each iteration, but ${files.length} changed: ${shortList(files)}`,
  );
}

function iterationFindings({ iteration: files, oneFilePerIteration }: GreenFacts): readonly Finding[] {
  const count = `source files changed in this iteration: ${files.length}${files.length === 0 ? "" : ` (${shortList(files)})`}`;
  return [
    {
      code: "files_changed",
      severity: oneFilePerIteration && files.length > 1 ? "block" : "finding",
      message: count,
    },
  ];
}

function unmeasured({ coverage, canary }: Controls): readonly Finding[] {
  return [
    {
      code: "unexecuted_lines",
      severity: "finding",
      message: `changed lines that no test executed: ${coverage}`,
    },
    ...(canary.state === "not measured"
      ? [
          {
            code: "canary",
            severity: "finding",
            message: `canary: not measured (${canary.why})`,
          } satisfies Finding,
        ]
      : []),
  ];
}
