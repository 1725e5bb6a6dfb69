/**
 * Proves a merge of two branches before it is published: every test that passed on either must pass on the merged tree, and
 * nothing else may fail that did not fail before. A test that one branch removed is not required.
 */
import { fileOfTest } from "../evidence/test-ids.ts";
import { conclude, unclear } from "../gates/check.ts";
import { idsWith, hasResult, noTests, type Suite } from "../gates/suite/suite.ts";
import { judgeSuite, steadyRequired, suiteFindings } from "../gates/suite/suite-checks.ts";
import { AppError } from "../lib/errors.ts";
import { resultsOfParents } from "../gates/red/parent-results.ts";
import { baselineOf } from "./base/baseline.ts";
import type { RecordDraft } from "./draft.ts";
import { packageRunners } from "./project/packages.ts";
import { projectAt, type Project } from "./project/project.ts";
import { prove, type GateProof, type ProofRequest } from "./proof.ts";
import { protectedHashes } from "./protected.ts";
import type { ProofSetting } from "./proof-package.ts";
import { runHashes } from "./setting.ts";
import { settingAt, settingOn } from "./setting-at.ts";
import { baseAgain } from "./base/run-base-again.ts";
import { runWholeSuite } from "./whole-suite.ts";

export interface MergeRequest extends Pick<ProofRequest, "ports" | "cache" | "settings"> {
  /** The common ancestor. */
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  readonly merged: string;
}

/** Null where the project has no test runner, or its settings select none. */
export async function proveMerge(request: MergeRequest): Promise<GateProof | null> {
  const { ports, settings, ours, merged } = request;
  const head = await projectAt(ports.repository, merged);
  if (!(await hasRunner(head, settings))) return null;
  const revisions = ["--base", ours, "--head", merged];
  return prove({ purpose: "merge", revisions, head, ports }, (made) => gather(request, head, made));
}

async function hasRunner(head: Project, settings: MergeRequest["settings"]): Promise<boolean> {
  try {
    return [...(await packageRunners(head, settings)).values()].some((name) => name !== null);
  } catch (error) {
    if (error instanceof AppError && error.code === "runner_not_found") return false;
    throw error;
  }
}

async function gather(request: MergeRequest, head: Project, made: RecordDraft[]) {
  const { ports, settings } = request;
  const { repository } = ports;
  const [base, ours, theirs] = await Promise.all(
    [request.base, request.ours, request.theirs].map((commit) => projectAt(repository, commit)),
  );
  if (base === undefined || ours === undefined || theirs === undefined) throw new TypeError("three commits");
  const setting = await settingAt({ ...request, base: ours, at: head });
  const other = await settingOn(setting, theirs);
  const ofOurs = await suiteOf(setting, made);
  const ofTheirs = await suiteOf(other, made);
  const hashes = await runHashes(setting, head, await protectedHashes(repository, head, settings.paths));
  const required = [
    ...stillRequired(ofOurs, { file: ours, other: ofTheirs, base }),
    ...stillRequired(ofTheirs, { file: theirs, other: ofOurs, base }),
  ];
  const requiredIds = [...new Set(required)];
  // A test that fails on both branches is not this merge's fault; one that a branch removed is not missed.
  const parents = (now: Suite, suites = [ofOurs, ofTheirs]): Suite => {
    const all = resultsOfParents(suites, now);
    const tests = all.report.tests.filter(
      ({ id, status }) => status !== "passed" || requiredIds.includes(id),
    );
    return { ...all, report: { ...all.report, tests } };
  };
  const again = [baseAgain(setting, made), baseAgain(other, made)] as const;
  const runs = await runWholeSuite({
    setting,
    head,
    hashes,
    required: requiredIds,
    gate: "merge",
    baseline: parents,
    baseAgain: async () => parents(noTests, [await again[0](), await again[1]()]),
    made,
  });
  const facts = {
    ...runs,
    required: requiredIds,
    redHasResult: hasResult(ofOurs) && hasResult(ofTheirs),
  };
  const checks =
    requiredIds.length === 0
      ? [unclear("required", "no test passes on either side, so nothing is proven")]
      : judgeSuite(facts);
  return {
    verdict: conclude({ checks, findings: suiteFindings(facts) }),
    record: { required: steadyRequired(facts), controls: {}, hashes: hashes.gate },
    drafts: made,
  };
}

async function suiteOf(setting: ProofSetting, made: RecordDraft[]): Promise<Suite> {
  const { suite, drafts } = await baselineOf(setting);
  made.push(...drafts);
  return suite;
}

/** Tests that passed on one branch, except those that the other removed from a file that this branch did not change. */
function stillRequired(
  suite: Suite,
  { file, other, base }: { readonly file: Project; readonly other: Suite; readonly base: Project },
): readonly string[] {
  const elsewhere = new Set(other.report.tests.map(({ id }) => id));
  const unloaded = new Set(other.report.loadErrors.map((error) => error.file));
  return idsWith(suite, "passed").filter((id) => {
    const path = fileOfTest(id);
    const isUntouched = file.files.get(path)?.blob === base.files.get(path)?.blob;
    return elsewhere.has(id) || unloaded.has(path) || !isUntouched || !hasResult(other);
  });
}
