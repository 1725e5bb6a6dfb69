/** Runs the tests of one commit on the source of another, beside the gate's own proof. */
import { fileOfTest } from "../../../evidence/test-ids.ts";
import type { Hashes } from "../../../gates/suite/frozen.ts";
import { kindOf } from "../../../source/paths.ts";
import type { RepeatedRun } from "../../../gates/suite/suite.ts";
import { changedPaths } from "../../../git/objects/tree.ts";
import type { RunContext } from "../../../run/context.ts";
import { baselineOf } from "../../../proof/base/baseline.ts";
import { baseAgain } from "../../../proof/base/run-base-again.ts";
import type { RecordDraft } from "../../../proof/draft.ts";
import { runFrozen } from "../../../proof/frozen-run.ts";
import { projectAt } from "../../../proof/project/project.ts";
import { protectedHashes } from "../../../proof/protected.ts";
import { settingAt } from "../../../proof/setting-at.ts";
import { proofCommon } from "../../../run/proof-ports.ts";

export interface FrozenRerun {
  /** Commits: the base of the cycle, the tests, the source. */
  readonly base: string;
  readonly tests: string;
  readonly source: string;
  readonly required: readonly string[];
  /** Files frozen with the tests; null: as in the tests' commit. */
  readonly frozen: Hashes | null;
  /** Replaces `green` in the purposes of the records. */
  readonly purpose: string;
  readonly signal: AbortSignal;
}

export interface RerunResult extends RepeatedRun {
  readonly redHasResult: boolean;
  readonly drafts: readonly RecordDraft[];
}

/** Returns a function that runs them once per call. */
export async function frozenRunner(
  context: RunContext,
  again: FrozenRerun,
): Promise<() => Promise<RerunResult>> {
  const { repository, settings } = context;
  const { ports, cache } = proofCommon(context, again.signal);
  const rules = settings.paths;
  const at = (commit: string) => projectAt(repository, commit);
  const [base, red, head] = [await at(again.base), await at(again.tests), await at(again.source)];
  const between = async (from: string) =>
    (await changedPaths(repository, { from, to: head.commit })).map(({ path }) => path);
  const files = again.required.map(fileOfTest);
  const touched = [...files, ...(await between(base.commit))];
  const setting = await settingAt({ ports, cache, settings, base, at: red, touched });
  const frozen = again.frozen ?? (await protectedHashes(repository, red, rules));
  const changed = (await between(red.commit)).filter(
    (path) => kindOf(path, rules) === "source" && head.files.has(path),
  );
  return async () => {
    const made: RecordDraft[] = [];
    const baseline = await baselineOf(setting);
    made.push(...baseline.drafts);
    const { required } = again;
    const ran = await runFrozen({
      setting,
      red,
      head,
      required,
      protected: frozen,
      baseline: baseline.suite,
      baseAgain: baseAgain(setting, made),
      changed,
      made,
    });
    const drafts = made.map((draft) => ({
      ...draft,
      purpose: draft.purpose.replace(/^green\b/, again.purpose),
    }));
    return {
      suite: ran.suite,
      confirm: ran.confirm,
      redHasResult: ran.redHasResult,
      baseline: ran.baseline,
      drafts,
    };
  };
}
