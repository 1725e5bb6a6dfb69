/** The final verification: the whole suite again, in a clean checkout of exactly the approved commit. */
import { judgeFinal } from "../gates/suite/final.ts";
import { steadyRequired } from "../gates/suite/suite-checks.ts";
import { changedPaths } from "../git/objects/tree.ts";
import { baselineOf } from "./base/baseline.ts";
import { affectedPackages } from "./affected-packages.ts";
import { prove, type GateProof, type ProofRequest } from "./proof.ts";
import { projectAt } from "./project/project.ts";
import { protectedHashes } from "./protected.ts";
import { runHashes } from "./setting.ts";
import { settingAt } from "./setting-at.ts";
import { baseAgain } from "./base/run-base-again.ts";
import { runWholeSuite } from "./whole-suite.ts";

export interface FinalRequest extends ProofRequest {
  /** The commit that a person approved. */
  readonly approved: string;
  readonly required: readonly string[];
  /** Ids of old tests that a person accepted as lost. */
  readonly accepted?: readonly string[];
}

export async function proveFinal(request: FinalRequest): Promise<GateProof> {
  const { ports, settings, required } = request;
  const head = await projectAt(ports.repository, request.head);
  const revisions = ["--base", request.base, "--head", request.head];
  return prove({ purpose: "final", revisions, head, ports }, async (made) => {
    const base = await projectAt(ports.repository, request.base);
    const setting = await settingAt({ ...request, base, at: head });
    const changed = (await changedPaths(ports.repository, { from: base.commit, to: head.commit })).map(
      ({ path }) => path,
    );
    const baseline = await baselineOf(setting, {
      affected: await affectedPackages(setting.packages, head, changed),
    });
    made.push(...baseline.drafts);
    const frozen = await protectedHashes(ports.repository, head, settings.paths);
    const hashes = await runHashes(setting, head, frozen);
    const runs = await runWholeSuite({
      setting,
      head,
      hashes,
      required,
      gate: "final",
      baseline: () => baseline.suite,
      baseAgain: baseAgain(setting, made),
      made,
    });
    const verdict = judgeFinal({
      base: base.commit,
      head: head.commit,
      approved: request.approved,
      required,
      ...runs,
      accepted: request.accepted,
      // The same commit passed before: the machine is at fault if the report is missing now.
      redHasResult: false,
    });
    return {
      verdict,
      record: { required: steadyRequired({ ...runs, required }), controls: {}, hashes: hashes.gate },
      drafts: made,
    };
  });
}
