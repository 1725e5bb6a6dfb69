/** Runs the contract suites of all children together on the parent's branch and assigns each failure to a child (V3-28). */
import { fileOfTest } from "../../evidence/test-ids.ts";
import { failed, shortList, passed, unclear } from "../check.ts";
import type { Suite } from "../suite/suite.ts";
import type { Check } from "../verdict.ts";

export interface ContractsFacts {
  readonly suite: Suite;
  /** Path of a contract suite -> id of its child. */
  readonly owners: Readonly<Record<string, string>>;
}

export interface ContractsJudgement {
  readonly check: Check;
  /** Children with a failing contract. */
  readonly guilty: readonly string[];
}

export function judgeContracts({ suite, owners }: ContractsFacts): ContractsJudgement {
  const { report, environment, timedOut, exitCode } = suite;
  const failure =
    environment ??
    (timedOut
      ? "the contract suites did not end in time"
      : report.report
        ? null
        : `the runner left no complete, readable report (exit code ${exitCode ?? "none"})`);
  if (failure !== null) return { check: unclear("contracts", failure), guilty: [] };
  const failing = report.tests.filter(({ status }) => status !== "passed").map(({ id }) => id);
  const broken = [
    ...report.loadErrors.map(({ file }) => file),
    ...report.problems.flatMap(({ file }) => file ?? []),
    ...Object.keys(owners).filter((path) => !report.tests.some(({ id }) => fileOfTest(id) === path)),
  ];
  const faults = [...new Set([...failing, ...broken])];
  const guilty = [...new Set(faults.flatMap((id) => owners[fileOfTest(id)] ?? []))];
  if (faults.length === 0)
    return {
      check: passed(
        "contracts",
        report.tests.map(({ id }) => id),
      ),
      guilty,
    };
  // A failure outside the children's suites sends no child back.
  if (guilty.length === 0)
    return {
      check: unclear("contracts", `failures outside of the children's suites: ${shortList(faults)}`),
      guilty,
    };
  const reason = `the contract suites of all children must pass together; failing: ${shortList(faults)} (${guilty.join(", ")})`;
  return { check: failed("contracts", reason, faults), guilty };
}
