/** Reruns failed frozen tests on the same tree: a test that passes now is flaky (TDP-27). */
import { fileOfTest } from "../../../evidence/test-ids.ts";
import { endsProcess } from "../../../gates/cycle/test-failure.ts";
import type { Suite } from "../../../gates/suite/suite.ts";
import { AppError } from "../../../lib/errors.ts";
import type { RunContext } from "../../../run/context.ts";
import type { RecordDraft } from "../../../proof/draft.ts";
import { projectAt } from "../../../proof/project/project.ts";
import type { Candidate } from "../../../engine/checks/work.ts";
import { frozenRunner } from "./rerun-frozen.ts";

interface RepeatRequest {
  readonly signal: AbortSignal;
  readonly work: Candidate;
  readonly base: string;
  readonly required: readonly string[];
  /** Required tests that did not pass. */
  readonly failing: readonly string[];
}

export interface RepeatResult {
  readonly suites: readonly Suite[];
  readonly drafts: readonly RecordDraft[];
  /** Test files whose own code ends the process. */
  readonly ending: readonly string[];
}

/** Three repeats detect a test that fails half of the time in seven of eight cases. */
const times = 3;

export async function repeatFailing(context: RunContext, repeating: RepeatRequest): Promise<RepeatResult> {
  const { work, base, required, failing, signal } = repeating;
  // The proof itself has repeated failing tests of earlier cycles.
  if (failing.length === 0) return { suites: [], drafts: [], ending: [] };
  const red = await projectAt(context.repository, work.parent);
  const files = [...new Set(failing.map(fileOfTest))];
  const ending = [...(await red.texts(files))].flatMap(([path, text]) => (endsProcess(text) ? [path] : []));
  const suites: Suite[] = [];
  const drafts: RecordDraft[] = [];
  try {
    const frozen = context.session.view.frozen?.files ?? null;
    const tests = work.parent;
    const source = work.commit;
    const again = { base, tests, source, required, frozen, purpose: "green.repeat", signal };
    const run = await frozenRunner(context, again);
    for (let time = 0; time < times && !signal.aborted; time++) {
      const ran = await run();
      suites.push(ran.suite);
      drafts.push(...ran.drafts);
    }
  } catch (error) {
    // The gate already has its verdict; the repeats so far classify the fault.
    if (!(error instanceof AppError)) throw error;
  }
  return { suites, drafts, ending };
}
