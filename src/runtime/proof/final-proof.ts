/** The last verification: the whole suite once more, in a clean checkout of exactly the approved commit. */
import { judgeFinal } from "../../gates/final.ts";
import { regressions } from "../../gates/suite.ts";
import { runnerOf, testFilesOf } from "./detect.ts";
import type { RecordDraft } from "./draft.ts";
import { executeTests, type TestRun } from "./execute.ts";
import { prove, type GateProof, type ProofRequest } from "./proof.ts";
import { projectAt, type Project } from "./project.ts";
import { protectedHashes, recordHashes } from "./protected.ts";
import {
  baselineOf,
  confirmed,
  executionOf,
  inCheckout,
  proofSetting,
  type ProofSetting,
} from "./setting.ts";

export interface FinalRequest extends ProofRequest {
  /** The commit that a person approved. */
  readonly approved: string;
  readonly required: readonly string[];
}

export async function proveFinal(request: FinalRequest): Promise<GateProof> {
  const { ports, settings, required } = request;
  const head = await projectAt(ports.repository, request.head);
  const revisions = ["--base", request.base, "--head", request.head];
  return prove({ purpose: "final", revisions, head, ports }, async (made) => {
    const base = await projectAt(ports.repository, request.base);
    const found = await runnerOf(ports.repository, head, settings);
    const setting = await proofSetting({ ports, cache: request.cache, rules: settings.paths, base, found });
    const baseline = await baselineOf(setting);
    made.push(...baseline.drafts);
    const frozen = await protectedHashes(ports.repository, head, settings.paths);
    const hashes = await recordHashes(ports.repository, head, { config: setting.config, frozen });
    const runs = await runAll({ setting, head, hashes, required, made }, (suite) =>
      regressions(suite, baseline.suite),
    );
    const verdict = judgeFinal({
      base: base.commit,
      head: head.commit,
      approved: request.approved,
      required,
      baseline: baseline.suite,
      suite: runs.first.suite,
      confirm: runs.confirm?.suite ?? null,
      // The very commit passed before: a report that is lost now is the machine's fault.
      redHeard: false,
    });
    return { verdict, record: { required, controls: {}, hashes }, drafts: made };
  });
}

interface Whole {
  readonly setting: ProofSetting;
  readonly head: Project;
  readonly hashes: RecordDraft["hashes"];
  readonly required: readonly string[];
  readonly made: RecordDraft[];
}

async function runAll(
  { setting, head, hashes, required, made }: Whole,
  lost: (suite: TestRun["suite"]) => readonly string[],
): Promise<{ readonly first: TestRun; readonly confirm: TestRun | null }> {
  const files = await testFilesOf(head, setting.rules, setting.found.runner);
  const key = `final-${head.commit.slice(0, 12)}`;
  return inCheckout(setting, { key, files: [...head.files.values()] }, async (checkout) => {
    const run = async (purpose: string): Promise<TestRun> => {
      const { commit, tree } = head;
      const done = await executeTests({
        ...executionOf(setting, checkout),
        files,
        purpose,
        commit,
        tree,
        hashes,
        required,
      });
      made.push(done.draft);
      return done;
    };
    const first = await run("final.tests");
    const old = lost(first.suite).filter((id) => !required.includes(id));
    return { first, confirm: await confirmed(first, old, () => run("final.confirm")) };
  });
}
