/** The last verification: the whole suite once more, in a clean checkout of exactly the approved commit. */
import { judgeFinal } from "../gates/final.ts";
import { regressions } from "../gates/suite.ts";
import { changedPaths } from "../git/tree.ts";
import { baselineOf } from "./baseline.ts";
import { concerned } from "./concerned.ts";
import type { RecordDraft } from "./draft.ts";
import { listTests } from "./execute/list-tests.ts";
import { packagesOf } from "./project/packages.ts";
import { prove, type GateProof, type ProofRequest } from "./proof.ts";
import { projectAt, type Project } from "./project/project.ts";
import { protectedHashes } from "./protected.ts";
import {
  confirmed,
  inCheckout,
  proofSetting,
  runHashes,
  runTests,
  type ProofSetting,
  type RunHashes,
  type SuiteRun,
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
    const packages = await packagesOf(ports.repository, head, settings);
    const setting = await proofSetting({
      ports,
      cache: request.cache,
      rules: settings.paths,
      base,
      packages,
    });
    const changed = (await changedPaths(ports.repository, { from: base.commit, to: head.commit })).map(
      ({ path }) => path,
    );
    const baseline = await baselineOf(setting, { concerned: await concerned(packages, head, changed) });
    made.push(...baseline.drafts);
    const frozen = await protectedHashes(ports.repository, head, settings.paths);
    const hashes = await runHashes(setting, head, frozen);
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
    return { verdict, record: { required, controls: {}, hashes: hashes.gate }, drafts: made };
  });
}

interface Whole {
  readonly setting: ProofSetting;
  readonly head: Project;
  readonly hashes: RunHashes;
  readonly required: readonly string[];
  readonly made: RecordDraft[];
}

async function runAll(
  { setting, head, hashes, required, made }: Whole,
  lost: (suite: SuiteRun["suite"]) => readonly string[],
): Promise<{ readonly first: SuiteRun; readonly confirm: SuiteRun | null }> {
  return inCheckout(setting, { files: [...head.files.values()] }, async (checkout) => {
    const { files, doubt } = await listTests(
      setting,
      { project: head, checkout, purpose: "final.tests" },
      made,
    );
    const run = (purpose: string): Promise<SuiteRun> =>
      runTests(setting, { checkout, files, doubt, purpose, of: head, hashes, required }, made);
    const first = await run("final.tests");
    const old = lost(first.suite).filter((id) => !required.includes(id));
    return { first, confirm: await confirmed(first, old, () => run("final.confirm")) };
  });
}
