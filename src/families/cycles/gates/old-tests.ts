/** Runs the tests that RED accepted, before QA refactored them, on DE's refactored source (TDP-36). */
import { parseRecord } from "../../../evidence/record.ts";
import { isOfTests } from "../../../source/paths.ts";
import { judgeSuite } from "../../../gates/suite/suite-checks.ts";
import type { Check } from "../../../gates/verdict.ts";
import { changedPaths } from "../../../git/objects/tree.ts";
import type { RunContext } from "../../../run/context.ts";
import type { RecordDraft } from "../../../proof/draft.ts";
import type { GateRequest } from "../../../family/gate.ts";
import type { Candidate } from "../../../engine/checks/work.ts";
import { frozenRunner } from "./rerun-frozen.ts";
import { union } from "../../../lib/lists.ts";

interface OldTestsRequest {
  /** The accepted RED commit. */
  readonly red: string;
  readonly base: string;
  readonly work: Candidate;
}

interface OldTests {
  readonly checks: readonly Check[];
  readonly drafts: readonly RecordDraft[];
}

/** Null if no test changed since RED: then the frozen tests are the old ones. */
export async function oldTestsOn(
  { context, signal }: GateRequest,
  { red, base, work }: OldTestsRequest,
): Promise<OldTests | null> {
  const { repository, settings } = context;
  const paths = (await changedPaths(repository, { from: red, to: work.parent })).map(({ path }) => path);
  if (!paths.some((path) => isOfTests(path, settings.paths))) return null;
  const required = await requiredAt(context, red);
  const again = { base, tests: red, source: work.commit, required, frozen: null, purpose: "old", signal };
  const run = await frozenRunner(context, again);
  const ran = await run();
  return { checks: judgeSuite({ ...ran, required }), drafts: ran.drafts };
}

/** The ids required by RED and by earlier cycles. */
async function requiredAt({ session, payloads }: RunContext, red: string): Promise<readonly string[]> {
  const { records, cyclesDone } = session.view;
  const written = records.findLast(
    ({ purpose, verdict, commit }) => purpose === "red" && verdict === "pass" && commit === red,
  );
  const record = written === undefined ? null : parseRecord(JSON.parse(await payloads.text(written.ref)));
  return union(cyclesDone.at(-1)?.required ?? [], record?.required ?? []);
}
