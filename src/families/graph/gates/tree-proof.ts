/**
 * Executes the result of a merge or a rebase before publication: no locked file changed, it builds, the contract suite
 * passes by its path, then all tests, of which those that passed before must pass again. The first failing step ends
 * it. Tests that already failed before, because their own Impl has not run yet, do not count.
 */
import { conclude, failed, shortList, passed, unclear } from "../../../gates/check.ts";
import type { Hashes } from "../../../gates/suite/frozen.ts";
import {
  idsWith,
  hasResult,
  judge,
  noTests,
  regressions,
  withoutPreExisting,
  type Suite,
} from "../../../gates/suite/suite.ts";
import { judgeSuite, suiteFindings } from "../../../gates/suite/suite-checks.ts";
import type { Check, Finding, Verdict } from "../../../gates/verdict.ts";
import { hashFiles } from "../../../git/objects/contents.ts";
import type { RunContext } from "../../../run/context.ts";
import { graphRules } from "../facts.ts";
import { baselineOf } from "../../../proof/base/baseline.ts";
import { baseAgain, steadied, type BaseAgain } from "../../../proof/base/run-base-again.ts";
import { runBuild } from "../../../proof/execute/build.ts";
import type { Checkout } from "../../../proof/checkout/checkout.ts";
import type { RecordDraft } from "../../../proof/draft.ts";
import { listTests } from "../../../proof/execute/list-tests.ts";
import { prove, type GateProof } from "../../../proof/proof.ts";
import { projectAt, type Project } from "../../../proof/project/project.ts";
import type { ProofSetting } from "../../../proof/proof-package.ts";
import {
  confirmRun,
  inCheckout,
  runHashes,
  runTests,
  type RunHashes,
  type SuiteRequest,
  type SuiteRun,
} from "../../../proof/setting.ts";
import { settingAt, settingOn } from "../../../proof/setting-at.ts";
import { proofCommon } from "../../../run/proof-ports.ts";
import { resultsOfParents } from "../../../gates/red/parent-results.ts";

export interface TreeRequest {
  readonly context: RunContext;
  readonly signal: AbortSignal;
  /** Purpose of the gate's record; its runs are `<purpose>.build`, `.contract` and `.tests`. */
  readonly purpose: "squash" | "rebase";
  readonly commit: string;
  /** Commits whose runs show what passed before. */
  readonly before: readonly [string, ...string[]];
  /** Ids of tests that must pass. */
  readonly required: readonly string[];
  /** Hashes of the locked files. */
  readonly locked: Hashes;
  /** Path of the contract suite, if it must pass. */
  readonly contract?: string;
  readonly build: boolean;
  /** The controls in the record: node, exit and criteria (V3-44). */
  readonly controls: (verdict: Verdict) => Readonly<Record<string, string>>;
}

export interface TreeProof extends GateProof {
  /** Output of the failed step, else empty. */
  readonly stepOutput: string;
  /** Required tests that do not pass; a file that does not load represents its tests. */
  readonly failing: readonly string[];
}

export interface VerdictRequest extends Pick<
  TreeRequest,
  "context" | "signal" | "purpose" | "commit" | "controls"
> {
  readonly checks: readonly Check[];
}

/** Records a verdict that needs no run. */
export async function recordVerdict(request: VerdictRequest): Promise<TreeProof> {
  const { context, signal, purpose, commit, checks, controls } = request;
  const { ports } = proofCommon(context, signal);
  const head = await projectAt(ports.repository, commit);
  const verdict = conclude({ checks, findings: [] });
  const hashes = { protected: null, config: null, lockfile: null };
  const record = { required: [], controls: controls(verdict), hashes };
  const revisions = ["--head", commit];
  const proof = await prove({ purpose, revisions, head, ports }, async () => ({
    verdict,
    record,
    drafts: [],
  }));
  return { ...proof, stepOutput: "", failing: [] };
}

export async function proveTree(request: TreeRequest): Promise<TreeProof> {
  const { context, signal, purpose, commit, before, locked, required } = request;
  const { ports } = proofCommon(context, signal);
  const head = await projectAt(ports.repository, commit);
  let stepOutput: Pick<TreeProof, "stepOutput" | "failing"> = { stepOutput: "", failing: [] };
  const proof = await prove(
    { purpose, revisions: ["--base", before[0], "--head", commit], head, ports },
    async (made) => {
      const steps = await runSteps(request, head, made);
      stepOutput = { stepOutput: steps.stepOutput, failing: steps.failing };
      const verdict = conclude({ checks: steps.checks, findings: steps.findings });
      const hashes = steps.hashes ?? { protected: locked, config: null, lockfile: null };
      return {
        verdict,
        record: { required, controls: request.controls(verdict), hashes },
        drafts: made,
      };
    },
  );
  return { ...proof, ...stepOutput };
}

interface Steps {
  readonly checks: readonly Check[];
  readonly findings: readonly Finding[];
  readonly stepOutput: string;
  readonly failing: readonly string[];
  readonly hashes?: RecordDraft["hashes"];
}

async function runSteps(request: TreeRequest, head: Project, made: RecordDraft[]): Promise<Steps> {
  const { context, signal, before, locked } = request;
  const { ports, cache, settings } = proofCommon(context, signal);
  const rules = await graphRules(context);
  const unchanged = await lockedCheck(context, head, locked);
  if (unchanged.verdict !== "pass") return { checks: [unchanged], findings: [], stepOutput: "", failing: [] };
  const at = (commit: string) => projectAt(ports.repository, commit);
  const setting = await settingAt({
    ports,
    cache,
    settings: { ...settings, paths: rules },
    base: await at(before[0]),
    at: head,
  });
  const baselines: Suite[] = [];
  const again: BaseAgain[] = [];
  for (const commit of new Set(before)) {
    const own = await settingOn(setting, await at(commit));
    const baseline = await baselineOf(own);
    made.push(...baseline.drafts);
    baselines.push(baseline.suite);
    again.push(baseAgain(own, made));
  }
  const hashes = await runHashes(setting, head, locked);
  const tree = { files: [...head.files.values()] };
  const steps = await inCheckout(setting, tree, (checkout) =>
    execute({ request, setting, head, hashes, checkout, baselines, again, made }),
  );
  return { ...steps, checks: [unchanged, ...steps.checks], hashes: hashes.gate };
}

/** All locks must hold: its own, those of everything merged before, and those of the ancestors. */
async function lockedCheck({ repository }: RunContext, head: Project, locked: Hashes): Promise<Check> {
  const paths = Object.keys(locked);
  const now = await hashFiles(repository, { commit: head.commit, paths });
  const changed = paths.filter((path) => now[path] !== locked[path]);
  return changed.length === 0
    ? passed("locked")
    : failed("locked", `these locked files must stay as they are: ${shortList(changed)}`);
}

interface Execution {
  readonly request: TreeRequest;
  readonly setting: ProofSetting;
  readonly head: Project;
  readonly hashes: RunHashes;
  readonly checkout: Checkout;
  readonly baselines: readonly Suite[];
  /** They run those commits again, in the same order. */
  readonly again: readonly BaseAgain[];
  readonly made: RecordDraft[];
}

async function execute(executing: Execution): Promise<Steps> {
  const { request, setting, head, checkout, made } = executing;
  const checks: Check[] = [];
  if (request.build) {
    const built = await runBuild(setting, { checkout, of: head, purpose: `${request.purpose}.build` }, made);
    checks.push(built.check);
    if (built.check.verdict !== "pass")
      return { checks, findings: [], stepOutput: built.output, failing: [] };
  }
  if (request.contract !== undefined) {
    const { check, stepOutput } = await contractStep(executing, request.contract);
    checks.push(check);
    if (check.verdict !== "pass") return { checks, findings: [], stepOutput, failing: check.tests };
  }
  const tests = await testStep(executing);
  return { ...tests, checks: [...checks, ...tests.checks] };
}

async function contractStep(executing: Execution, contract: string) {
  const { head } = executing;
  if (!head.files.has(contract))
    return { check: failed("contract", `${contract} is not there`), stepOutput: `${contract} is not there` };
  const ran = await runOne(executing, { name: "contract", files: [contract], required: [] });
  const { suite } = ran;
  const { verdict, reasons } = judge(suite, []);
  const reason = suite.environment ?? reasons.join("; ");
  const missed = [...idsWith(suite, "failed", "pending"), ...suite.report.loadErrors.map(({ file }) => file)];
  const check =
    suite.environment !== null || verdict === "inconclusive"
      ? unclear("contract", reason)
      : verdict === "pass"
        ? passed("contract", idsWith(suite, "passed"))
        : failed("contract", `the contract suite ${contract} must pass: ${reason}`, missed);
  return { check, stepOutput: outputOf(ran) };
}

async function testStep(executing: Execution): Promise<Steps> {
  const { request, setting, head, baselines, again } = executing;
  const { files, doubt } = await listTests(
    setting,
    { project: head, checkout: executing.checkout, purpose: `${executing.request.purpose}.tests` },
    executing.made,
  );
  const required = [...request.required];
  if (files.length === 0 && required.length === 0)
    return { checks: [passed("required")], findings: [], stepOutput: "", failing: [] };
  const first = await runOne(executing, { name: "tests", files, doubt, required });
  const before = resultsOfParents(baselines, first.suite);
  const repeat = () => runOne(executing, { name: "confirm", files, doubt, required });
  const confirm = await confirmRun(first, regressions(first.suite, before), repeat);
  const given = { suite: first.suite, confirm: confirm?.suite ?? null, baseline: before };
  const twice = await steadied(given, () => parentsAgain(again), repeat);
  const { baseline } = twice;
  const facts = {
    ...twice,
    required: required.length > 0 ? required : idsWith(baseline, "passed"),
    redHasResult: hasResult(baseline),
  };
  const checks = facts.required.length > 0 ? judgeSuite(facts) : [onlyNewFaults(first.suite, baseline)];
  const isWell = checks.every(({ verdict }) => verdict === "pass");
  const passing = new Set(idsWith(first.suite, "passed"));
  const missed = hasResult(first.suite) ? required.filter((id) => !passing.has(id)) : [];
  const wrong = checks.flatMap(({ verdict, tests }) => (verdict === "fail" ? tests : []));
  return {
    checks,
    findings: suiteFindings(facts),
    stepOutput: isWell ? "" : outputOf(first),
    failing: [...new Set([...missed, ...wrong])],
  };
}

async function parentsAgain(again: readonly BaseAgain[]): Promise<Suite> {
  const suites: Suite[] = [];
  for (const run of again) suites.push(await run());
  return resultsOfParents(suites, noTests);
}

/** Where no test passed before, none can be lost, so only new failures count. */
function onlyNewFaults(suite: Suite, baseline: Suite): Check {
  if (!hasResult(suite)) return unclear("required", suite.environment ?? "the run gave no report in time");
  const { tests, loadErrors, problems } = withoutPreExisting(suite, baseline).suite.report;
  const wrong = [
    ...tests.filter(({ status }) => status === "failed" || status === "pending").map(({ id }) => id),
    ...loadErrors.map(({ file }) => file),
    ...problems.map(({ file, code }) => file ?? code),
  ];
  return wrong.length === 0
    ? passed("required")
    : failed("required", `fails since the merge: ${shortList(wrong)}`, wrong);
}

function runOne(
  { request, setting, head, hashes, checkout, made }: Execution,
  run: { readonly name: string } & Pick<SuiteRequest, "files" | "doubt"> & {
      readonly required: readonly string[];
    },
): Promise<SuiteRun> {
  const { name, ...what } = run;
  const purpose = `${request.purpose}.${name}`;
  return runTests(setting, { ...what, checkout, purpose, of: head, hashes }, made);
}

function outputOf({ runs }: SuiteRun): string {
  return runs.map(({ output }) => output).join("\n");
}
