/** Runs all tests of one commit in a clean checkout, and again where an old test was lost. */
import { regressions, type RepeatedRun, type Suite } from "../gates/suite/suite.ts";
import type { RecordDraft } from "./draft.ts";
import { listTests } from "./execute/list-tests.ts";
import type { Project } from "./project/project.ts";
import type { ProofSetting } from "./proof-package.ts";
import { steadied, type BaseAgain } from "./base/run-base-again.ts";
import { confirmRun, inCheckout, runTests, type RunHashes, type SuiteRun } from "./setting.ts";

export interface WholeSuiteRequest {
  readonly setting: ProofSetting;
  readonly head: Project;
  readonly hashes: RunHashes;
  readonly required: readonly string[];
  /** The gate's name: its runs are `<gate>.tests` and `<gate>.confirm`. */
  readonly gate: string;
  /** What this run is compared with. An old test that is lost causes a second run of the commit, then one of the base. */
  readonly baseline: (now: Suite) => Suite;
  readonly baseAgain: BaseAgain;
  readonly made: RecordDraft[];
}

export async function runWholeSuite({
  setting,
  head,
  hashes,
  required,
  gate,
  baseline: comparedWith,
  baseAgain,
  made,
}: WholeSuiteRequest): Promise<RepeatedRun> {
  const tree = { files: [...head.files.values()] };
  return inCheckout(setting, tree, async (checkout) => {
    const listing = { project: head, checkout, purpose: `${gate}.tests` };
    const { files, doubt } = await listTests(setting, listing, made);
    const run = (purpose: string): Promise<SuiteRun> =>
      runTests(setting, { checkout, files, doubt, purpose, of: head, hashes, required }, made);
    const first = await run(`${gate}.tests`);
    const baseline = comparedWith(first.suite);
    const lost = regressions(first.suite, baseline);
    const repeat = () => run(`${gate}.confirm`);
    const confirm = await confirmRun(first, lost, repeat);
    const twice = { suite: first.suite, confirm: confirm?.suite ?? null, baseline };
    return steadied(twice, baseAgain, repeat);
  });
}
