/**
 * Runs new test files that do not load because the unit, which exists, throws while they load: a test file may call it outside of
 * its tests (PRV-22). Then what the unit returns to these files throws only where a test uses it.
 */
import type { Suite } from "../../gates/suite/suite.ts";
import { fileOfTest } from "../../evidence/test-ids.ts";
import { newId } from "../../lib/ids.ts";
import { isScript } from "../../source/syntax.ts";
import type { Checkout } from "../checkout/checkout.ts";
import type { ProofSetting } from "../proof-package.ts";
import type { Project } from "../project/project.ts";
import type { SuiteRun } from "../setting.ts";
import { restoreUnit, writeUnit } from "./rewritten-unit.ts";

export interface LateUnitRequest {
  readonly checkout: Checkout;
  readonly setting: Pick<ProofSetting, "rules">;
  readonly head: Project;
  /** The changed test files. */
  readonly files: readonly string[];
  readonly first: SuiteRun;
  run(files: readonly string[]): Promise<SuiteRun>;
}

export interface LateUnit {
  readonly first: SuiteRun;
  /** The test files that load only so. */
  readonly late: readonly string[];
  /** Ids of their tests that failed where they used what the unit gave. */
  readonly reached: readonly string[];
}

/** The checkout has its files again afterwards. */
export async function runLate(request: LateUnitRequest): Promise<LateUnit> {
  const { checkout, setting, head, files, first, run } = request;
  const open = files.filter((path) => isScript(path) && failsToLoad(path, first.suite));
  const nothing = { first, late: [], reached: [] };
  const mark = `(${newId(16)})`;
  if (open.length === 0) return nothing;
  const names = open.map((path) => path.slice(path.lastIndexOf("/") + 1));
  const originals = await writeUnit({
    checkout,
    head,
    rules: setting.rules,
    texts: await head.texts(open),
    answer: { how: "late", files: names, mark },
  });
  if (originals.size === 0) return nothing;
  const { suite } = await run(open);
  await restoreUnit(checkout, originals);
  const loaded = open.filter((path) => suite.report.tests.some(({ id }) => fileOfTest(id) === path));
  if (!suite.report.report || loaded.length === 0) return nothing;
  const reached = suite.report.tests.filter(({ message }) => message.includes(mark)).map(({ id }) => id);
  return { first: { ...first, suite: joined(first.suite, suite, new Set(loaded)) }, late: loaded, reached };
}

/** An error in a suite of node:test is reported as one of a hook, and leaves no test. */
function failsToLoad(path: string, { report }: Suite): boolean {
  const { tests, loadErrors, problems } = report;
  const found = [...loadErrors, ...problems.filter(({ code }) => code === "hook")].filter(
    ({ file }) => file === path,
  );
  return (
    found.some(({ message }) => mayBeOfUnit(message)) && !tests.some(({ id }) => fileOfTest(id) === path)
  );
}

/** A module that is missing and a text that is no program are never the unit's doing. */
function mayBeOfUnit(message: string): boolean {
  return !/^(?:SyntaxError|ERR_MODULE_NOT_FOUND)|Cannot find (?:module|package)|Failed to (?:load|resolve)|does not provide an export/.test(
    message,
  );
}

/** The results of these files come from the second run. */
function joined(first: Suite, second: Suite, files: ReadonlySet<string>): Suite {
  const { report } = first;
  const isOther = ({ file }: { readonly file: string | null }) => file === null || !files.has(file);
  const { tests } = second.report;
  return {
    ...first,
    report: {
      ...report,
      tests: [...report.tests, ...tests.filter(({ id }) => files.has(fileOfTest(id)))],
      loadErrors: report.loadErrors.filter(isOther),
      problems: report.problems.filter(isOther),
    },
  };
}
