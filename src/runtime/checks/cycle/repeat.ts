/** The frozen tests on the same tree again, where they failed: what passes now was flaky (TDP-27). */
import { endsProcess } from "../../../gates/cycle/test-failure.ts";
import { kindOf } from "../../../gates/paths.ts";
import type { Suite } from "../../../gates/suite.ts";
import { AppError } from "../../../lib/errors.ts";
import { changedPaths } from "../../../git/tree.ts";
import type { RunContext } from "../../context.ts";
import { runnerOf } from "../../proof/detect.ts";
import type { RecordDraft } from "../../proof/draft.ts";
import { runFrozen } from "../../proof/frozen-run.ts";
import { projectAt, type Project } from "../../proof/project.ts";
import { baselineOf, proofSetting } from "../../proof/setting.ts";
import type { Candidate } from "../work.ts";
import { proofCommon } from "./shared.ts";

interface Repeating {
  readonly signal: AbortSignal;
  readonly work: Candidate;
  readonly base: string;
  readonly required: readonly string[];
}

export interface Repeated {
  readonly suites: readonly Suite[];
  readonly drafts: readonly RecordDraft[];
  /** Test files whose own text ends the process. */
  readonly ending: readonly string[];
}

/** A flaky test that fails half of the time is seen in seven cases of eight. */
const times = 3;

export async function repeatFailing(context: RunContext, repeating: Repeating): Promise<Repeated> {
  const { work, required } = repeating;
  const red = await projectAt(context.repository, work.parent);
  const files = [...new Set(required.map((id) => id.split("::")[0] ?? ""))];
  const ending = [...(await red.texts(files))].flatMap(([path, text]) => (endsProcess(text) ? [path] : []));
  const drafts: RecordDraft[] = [];
  try {
    return { suites: await run(context, { ...repeating, red, drafts }), drafts, ending };
  } catch (error) {
    // The gate has its answer; without a repetition the fault is told from one run.
    if (!(error instanceof AppError)) throw error;
    return { suites: [], drafts, ending };
  }
}

async function run(
  context: RunContext,
  { signal, work, base: from, required, red, drafts }: Repeating & { red: Project; drafts: RecordDraft[] },
): Promise<readonly Suite[]> {
  const { repository, settings, session } = context;
  const { ports, cache } = proofCommon(context, signal);
  const [base, head] = [await projectAt(repository, from), await projectAt(repository, work.commit)];
  const found = await runnerOf(repository, red, settings);
  const setting = await proofSetting({ ports, cache, rules: settings.paths, base, found });
  const baseline = await baselineOf(setting);
  const changed = (await changedPaths(repository, { from: red.commit, to: head.commit }))
    .map(({ path }) => path)
    .filter((path) => kindOf(path, settings.paths) === "source" && head.files.has(path));
  const suites: Suite[] = [];
  for (let time = 0; time < times && !signal.aborted; time++) {
    const made: RecordDraft[] = [];
    const ran = await runFrozen({
      setting,
      red,
      head,
      required,
      protected: session.view.frozen?.files ?? {},
      baseline: baseline.suite,
      changed,
      made,
    });
    suites.push(ran.suite);
    drafts.push(...made.map((draft) => ({ ...draft, purpose: draft.purpose.replace(".tests", ".repeat") })));
  }
  return suites;
}
