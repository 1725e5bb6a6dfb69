/** The tests as RED accepted them, before QA refactored them, on DE's refactored source (TDP-36). */
import { parseRecord } from "../../../evidence/record.ts";
import { kindOf } from "../../../gates/paths.ts";
import { judgeSuite } from "../../../gates/suite-checks.ts";
import type { Check } from "../../../gates/verdict.ts";
import { changedPaths } from "../../../git/tree.ts";
import type { RunContext } from "../../context.ts";
import { runnerOf } from "../../proof/detect.ts";
import type { RecordDraft } from "../../proof/draft.ts";
import { runFrozen } from "../../proof/frozen-run.ts";
import { projectAt } from "../../proof/project.ts";
import { protectedHashes } from "../../proof/protected.ts";
import { baselineOf, proofSetting } from "../../proof/setting.ts";
import type { Checking } from "../check.ts";
import type { Candidate } from "../work.ts";
import { proofCommon } from "./shared.ts";

interface Asked {
  /** The accepted RED commit. */
  readonly red: string;
  readonly base: string;
  readonly work: Candidate;
}

interface OldTests {
  readonly checks: readonly Check[];
  readonly drafts: readonly RecordDraft[];
}

/** Null where no test changed since RED: the frozen ones are those. */
export async function oldTestsOn(
  { context, signal }: Checking,
  { red: from, base: before, work }: Asked,
): Promise<OldTests | null> {
  const { repository, settings } = context;
  const rules = settings.paths;
  const paths = (await changedPaths(repository, { from, to: work.parent })).map(({ path }) => path);
  if (!paths.some((path) => ["test", "fixture"].includes(kindOf(path, rules)))) return null;
  const { ports, cache } = proofCommon(context, signal);
  const [base, red, head] = await Promise.all(
    [before, from, work.commit].map((commit) => projectAt(repository, commit)),
  ).then(([one, two, three]) => [one, two, three] as const);
  if (!base || !red || !head) return null;
  const found = await runnerOf(repository, red, settings);
  const setting = await proofSetting({ ports, cache, rules, base, found });
  const baseline = await baselineOf(setting);
  const made: RecordDraft[] = [];
  const required = await requiredAt(context, from);
  const ran = await runFrozen({
    setting,
    red,
    head,
    required,
    protected: await protectedHashes(repository, red, rules),
    baseline: baseline.suite,
    changed: [],
    made,
  });
  return {
    checks: judgeSuite({ ...ran, required, baseline: baseline.suite }),
    drafts: [
      ...baseline.drafts,
      ...made.map((draft) => ({ ...draft, purpose: draft.purpose.replace("green.", "old.") })),
    ],
  };
}

/** The ids that RED required, with those of earlier cycles. */
async function requiredAt({ session, payloads }: RunContext, red: string): Promise<readonly string[]> {
  const { records, cyclesDone } = session.view;
  const written = records.findLast(
    ({ purpose, verdict, commit }) => purpose === "red" && verdict === "pass" && commit === red,
  );
  const record = written === undefined ? null : parseRecord(JSON.parse(await payloads.text(written.ref)));
  return [...new Set([...(cyclesDone.at(-1)?.required ?? []), ...(record?.required ?? [])])];
}
