/** Executes a scaffold in a clean checkout: it builds, and its contract suite fails for the right reason (V3-29). */
import { fileOfTest } from "../../../evidence/test-ids.ts";
import { conclude, failed } from "../../../gates/check.ts";
import { judgeContract, unchangedTests } from "../../../gates/node/node-contract.ts";
import { cleanPath } from "../../../gates/node/node-paths.ts";
import { interfacesOf, judgeScaffold, stubPlaces } from "../../../gates/node/node-scaffold.ts";
import { isTestText, marksOfTest } from "../../../source/test-marks.ts";
import { freshMarks } from "../../../source/test-marks-javascript.ts";
import type { Check, Finding } from "../../../gates/verdict.ts";
import { hashFiles } from "../../../git/objects/contents.ts";
import type { InitWork } from "../../../protocol/graph-types/scaffold.ts";
import type { Spec } from "../../../protocol/graph-types/shared.ts";
import { runBuild } from "../../../proof/execute/build.ts";
import type { RecordDraft } from "../../../proof/draft.ts";
import { leavingLinks, projectAt, type Project } from "../../../proof/project/project.ts";
import { prove, type GateProof } from "../../../proof/proof.ts";
import { inCheckout, owns, runHashes, runTests } from "../../../proof/setting.ts";
import { settingAt } from "../../../proof/setting-at.ts";
import type { RunContext } from "../../../run/context.ts";
import { graphRules } from "../facts.ts";
import type { Node } from "../node.ts";
import { noBuild, outputFinding } from "./output.ts";
import { missingExports } from "./missing-exports.ts";
import { ancestorInterfaces } from "../decision/refusal-rules.ts";
import { proofCommon } from "../../../run/proof-ports.ts";
import type { Candidate } from "../../../engine/checks/work.ts";

export interface ScaffoldRequest {
  readonly context: RunContext;
  readonly node: Node;
  readonly spec: Spec;
  /** The reported payload. */
  readonly report: InitWork;
  readonly work: Candidate;
  readonly signal: AbortSignal;
}

export interface ScaffoldProof extends GateProof {
  /** Ids of the contract suite. */
  readonly contract: readonly string[];
}

export async function proveScaffold(request: ScaffoldRequest): Promise<ScaffoldProof> {
  const { context, node, spec, report, work, signal } = request;
  const { ports } = proofCommon(context, signal);
  const head = await projectAt(ports.repository, work.commit);
  const base = await projectAt(ports.repository, work.parent);
  let contract: readonly string[] = [];
  const revisions = ["--node", node.id, "--base", work.parent, "--head", work.commit];
  const proof = await prove({ purpose: "scaffold", revisions, head, ports }, async (made) => {
    const seen = await readChecks(request, head);
    const isWrong = seen.some(({ verdict }) => verdict === "fail");
    const ran = isWrong ? notExecuted : await execute(request, { head, base, made });
    ({ contract } = ran);
    const verdict = conclude({ checks: [...seen, ...ran.checks], findings: ran.findings });
    return {
      verdict,
      record: {
        required: [],
        controls: {
          node: node.id,
          exit: "InitWork",
          criteria: spec.acceptanceCriteria.map(({ id }) => id).join(", "),
          contract: report.contractSuite,
        },
        hashes: ran.hashes,
      },
      drafts: made,
    };
  });
  return { ...proof, contract };
}

interface Execution {
  readonly checks: readonly Check[];
  readonly findings: readonly Finding[];
  readonly contract: readonly string[];
  readonly hashes: RecordDraft["hashes"];
}

const notExecuted: Execution = {
  checks: [],
  findings: [],
  contract: [],
  hashes: { protected: null, config: null, lockfile: null },
};

/** Checks that need no execution. */
async function readChecks(
  { context, node, spec, report, work }: ScaffoldRequest,
  head: Project,
): Promise<readonly Check[]> {
  return judgeScaffold({
    spec,
    work: report,
    changed: work.paths,
    texts: await head.texts([...work.paths, ...interfacesOf(report)]),
    links: await leavingLinks(context.repository, head, work.paths),
    has: (path) => head.files.has(path),
    missingExports: await missingExports(head, report.interfaces ?? []),
    ancestors: await ancestorInterfaces(context, node.parent),
  });
}

interface ExecutionInput {
  readonly head: Project;
  readonly base: Project;
  readonly made: RecordDraft[];
}

async function execute(request: ScaffoldRequest, { head, base, made }: ExecutionInput): Promise<Execution> {
  const { context, report, spec, signal } = request;
  const { ports, cache, settings } = proofCommon(context, signal);
  const contractSuite = cleanPath(report.contractSuite);
  const rules = await graphRules(context, {
    tests: [contractSuite],
    source: stubPlaces({ spec, work: report }),
  });
  const whole = await settingAt({ ports, cache, settings: { ...settings, paths: rules }, base, at: head });
  const setting = { ...whole, packages: whole.packages.filter((one) => owns(one, contractSuite)) };
  if (setting.packages.length === 0)
    return { ...notExecuted, checks: [failed("contract_loads", `no test runner runs ${contractSuite}`)] };
  const fixed = [contractSuite, ...interfacesOf(report)];
  const frozen = await hashFiles(ports.repository, { commit: head.commit, paths: fixed });
  const hashes = await runHashes(setting, head, frozen);
  const tree = { files: [...head.files.values()] };
  return inCheckout(setting, tree, async (checkout) => {
    const built = await runBuild(setting, { checkout, of: head, purpose: "scaffold.build" }, made);
    const ran = { checks: [built.check], contract: [], hashes: hashes.gate };
    if (built.check.verdict !== "pass") return { ...ran, findings: outputFinding(built.output) };
    const run = { checkout, files: [contractSuite], purpose: "scaffold.tests", of: head, hashes };
    const { suite, runs } = await runTests(setting, run, made);
    const texts = await contractTexts(contractSuite, { base, head });
    const checks = judgeContract({
      suite,
      contractSuite,
      old: unchangedTests(contractSuite, { ids: lockedOf(request, contractSuite), ...texts }),
      rules,
      marks: freshMarks(marksIn(texts.now), marksIn(texts.before)),
    });
    const isWell = checks.every(({ verdict }) => verdict === "pass");
    const output = runs.map((one) => one.output).join("\n");
    return {
      ...ran,
      checks: [built.check, ...checks],
      findings: [...noBuild(built), ...(isWell ? [] : outputFinding(output))],
      contract: suite.report.tests.map(({ id }) => id),
    };

    function marksIn(text: string | null) {
      if (text === null || !isTestText(contractSuite)) return [];
      return marksOfTest({ path: contractSuite, text }, rules, (path) => head.files.has(path));
    }
  });
}

async function contractTexts(
  path: string,
  { base, head }: Pick<ExecutionInput, "base" | "head">,
): Promise<{ readonly before: string | null; readonly now: string | null }> {
  const [before, now] = await Promise.all([base.texts([path]), head.texts([path])]);
  return { before: before.get(path) ?? null, now: now.get(path) ?? null };
}

/** Tests of the suite that an earlier scaffold locked. */
function lockedOf({ node }: ScaffoldRequest, contractSuite: string): readonly string[] {
  return (node.entry.locked?.required ?? []).filter((id) => fileOfTest(id) === contractSuite);
}
