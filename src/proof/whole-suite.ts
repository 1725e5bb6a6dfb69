/** Runs all tests of one commit in a clean checkout, and again where an old test was lost. */
import type { Suite } from "../gates/suite/suite.ts";
import type { RecordDraft } from "./draft.ts";
import { listTests } from "./execute/list-tests.ts";
import type { Project } from "./project/project.ts";
import type { ProofSetting } from "./proof-package.ts";
import { confirmRun, inCheckout, runTests, type RunHashes, type SuiteRun } from "./setting.ts";

export interface WholeSuiteRequest {
  readonly setting: ProofSetting;
  readonly head: Project;
  readonly hashes: RunHashes;
  readonly required: readonly string[];
  /** The gate's name: its runs are `<gate>.tests` and `<gate>.confirm`. */
  readonly gate: string;
  /** Ids of old tests that did not pass; they cause a second run. */
  readonly lost: (suite: Suite) => readonly string[];
  readonly made: RecordDraft[];
}

export async function runWholeSuite({
  setting,
  head,
  hashes,
  required,
  gate,
  lost,
  made,
}: WholeSuiteRequest): Promise<{ readonly suite: Suite; readonly confirm: Suite | null }> {
  const tree = { files: [...head.files.values()] };
  return inCheckout(setting, tree, async (checkout) => {
    const listing = { project: head, checkout, purpose: `${gate}.tests` };
    const { files, doubt } = await listTests(setting, listing, made);
    const run = (purpose: string): Promise<SuiteRun> =>
      runTests(setting, { checkout, files, doubt, purpose, of: head, hashes, required }, made);
    const first = await run(`${gate}.tests`);
    const confirm = await confirmRun(first, lost(first.suite), () => run(`${gate}.confirm`));
    return { suite: first.suite, confirm: confirm?.suite ?? null };
  });
}
