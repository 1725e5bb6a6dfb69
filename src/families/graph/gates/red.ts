/**
 * Accepts TestsReady with one batch of tests for all uncovered criteria that fails on the scaffold for the right reason
 * (V3-31 to 33). The tests are merged onto the node's branch, run there, and locked.
 */
import { canonicalJson } from "../../../lib/hash.ts";
import { conclude, passed } from "../../../gates/check.ts";
import { checkImports } from "../../../gates/node/node-imports.ts";
import { criteriaOfTest, judgeBatch } from "../../../gates/node/node-tests.ts";
import { isFixture, kindOf } from "../../../source/paths.ts";
import { hashFiles } from "../../../git/objects/contents.ts";
import { composeTree } from "../../../git/objects/tree.ts";
import type { RunEvent } from "../../../log/run-event.ts";
import { TestsReadyPayload } from "../../../protocol/graph-types/shared.ts";
import { TDDMem } from "../../../protocol/graph-types/tdd.ts";
import { unverifiedClaim } from "../decision/claims.ts";
import { conversationOf, graphRules, isInFile } from "../facts.ts";
import { resultOf } from "../history.ts";
import { acceptedOf, decisionPayload, readStored } from "../payloads.ts";
import { commitAs } from "../rebase/place-work.ts";
import { testsBase } from "../work.ts";
import { prove, type GateProof, type ExtraChecks } from "../../../proof/proof.ts";
import { projectAt, type Project } from "../../../proof/project/project.ts";
import { proveRed, type JudgedRed } from "../../../proof/red-proof.ts";
import { inCheckout, runTests } from "../../../proof/setting.ts";
import { plainOutcomes, type Gate } from "../../../family/gate.ts";
import { union } from "../../../lib/lists.ts";
import { proofCommon } from "../../../run/proof-ports.ts";
import { batchOf, changedLocks, type Batch } from "./batch.ts";
import { judgeWork, type WorkCheck } from "./judge-work.ts";

export const nodeRedGate: Gate = {
  outcomes: plainOutcomes,
  judgesCommit: true,
  check: (request) =>
    judgeWork(request, {
      kind: "red",
      onto: ({ entry }) => testsBase(entry),
      prove: proveBatch,
      head: mergedTests,
      accept,
    }),
};

interface BatchProof extends GateProof {
  readonly batch: Batch;
  /** Ids of the new tests. */
  readonly required: readonly string[];
}

async function proveBatch(workCheck: WorkCheck): Promise<BatchProof> {
  const { context, node, work, signal } = workCheck;
  const batch = await batchOf(workCheck);
  const { uncovered, dispute } = batch;
  const common = proofCommon(context, signal);
  if (work.paths.length === 0 && uncovered.length === 0) return nothingNew(workCheck, batch);
  const rules = await graphRules(context);
  const proof = await proveRed({
    ...common,
    settings: { ...common.settings, paths: rules },
    // A test that is corrected in place is new only against the scaffold.
    base: dispute === null ? work.parent : (node.entry.scaffold ?? work.parent),
    head: work.commit,
    // `judgeBatch` below checks criteria more strictly.
    criteria: [],
    plan: {},
    planned: [],
    unit: "source",
    missingFileHint: "what the scaffold lacks is its own matter: InvalidScaffold sends it back there",
    ...(dispute === null ? {} : { dispute }),
    extraChecks: (seen) => moreOf(workCheck, batch, seen),
  });
  return { ...proof, batch };
}

async function moreOf(workCheck: WorkCheck, batch: Batch, seen: JudgedRed): Promise<ExtraChecks> {
  const { work, node } = workCheck;
  const { head, required, failing, verdict } = seen;
  const checks = judgeBatch({
    ...batch,
    changed: work.paths,
    testPath: batch.spec.testPath,
    tests: required,
    failing,
    changedLocks: await changedLocks(workCheck, batch),
  });
  const files = work.paths.filter((path) => head.files.has(path) && !isFixture(path));
  const imports = checkImports({
    files: [...(await head.texts(files))].map(([path, text]) => ({ path, text })),
    allowed: batch.publicApi,
    has: (path) => head.files.has(path),
    isHelper: await helpers(workCheck, head),
  });
  const all = [...checks, imports.check];
  const isWell = verdict.verdict === "pass" && all.every((check) => check.verdict === "pass");
  if (isWell) await runOnBranch(workCheck, seen);
  return { checks: all, findings: imports.findings, controls: recordControls(node.id, batch) };
}

/** Test helpers that existed before the node and are unchanged; tests may import them. */
async function helpers({ context, node }: WorkCheck, head: Project): Promise<(path: string) => boolean> {
  const [base, rules] = await Promise.all([
    projectAt(context.repository, node.entry.base),
    graphRules(context),
  ]);
  return (path) => {
    const found = base.files.get(path);
    return found !== undefined && found.blob === head.files.get(path)?.blob && kindOf(path, rules) === "test";
  };
}

function recordControls(node: string, { uncovered, criteria }: Batch) {
  return { node, exit: "TestsReady", criteria: (uncovered.length > 0 ? uncovered : criteria).join(", ") };
}

/** Runs the tests with the merged children too. The result is recorded but refuses nothing (V3-32). */
async function runOnBranch(workCheck: WorkCheck, { setting, hashes, made }: JudgedRed): Promise<void> {
  const { context, work } = workCheck;
  const merged = await projectAt(context.repository, await mergedTests(workCheck));
  const files = work.paths.filter((path) => merged.files.has(path) && !isFixture(path));
  const tree = { files: [...merged.files.values()] };
  await inCheckout(setting, tree, async (checkout) => {
    await runTests(setting, { checkout, files, purpose: "red.branch", of: merged, hashes }, made);
  });
}

/** Every criterion has its tests already, and no more were requested. */
async function nothingNew({ context, work, node, signal }: WorkCheck, batch: Batch): Promise<BatchProof> {
  const { ports } = proofCommon(context, signal);
  const head = await projectAt(ports.repository, work.commit);
  const revisions = ["--base", work.parent, "--head", work.commit];
  const proof = await prove({ purpose: "red", revisions, head, ports }, async (made) => ({
    verdict: conclude({
      checks: [passed("batch", batch.own)],
      findings: [
        { code: "nothing_new", severity: "finding", message: "every criterion has its locked tests already" },
      ],
    }),
    record: {
      // Nothing was executed, so the record must not claim a test. GREEN requires the locked ones.
      required: [],
      controls: recordControls(node.id, batch),
      hashes: { protected: null, config: null, lockfile: null },
    },
    drafts: made,
  }));
  return { ...proof, batch, required: [] };
}

/** The batch on the node's head, which may have merged children. Deterministic. */
async function mergedTests({ context, node, work }: WorkCheck): Promise<string> {
  const { head } = node.entry;
  if (work.parent === head || work.paths.length === 0) return work.paths.length === 0 ? head : work.commit;
  const changed = new Set(work.paths);
  const tree = await composeTree(context.repository, {
    base: head,
    overlay: work.commit,
    take: (path) => changed.has(path),
  });
  return commitAs(context, work, { tree, parent: head });
}

async function accept(workCheck: WorkCheck, proof: BatchProof, head: string): Promise<readonly RunEvent[]> {
  const { context, node, work } = workCheck;
  const { id, entry } = node;
  const { batch } = proof;
  const put = (value: object) => context.payloads.put(canonicalJson(value));
  const before = await acceptedOf(context, { entry, exit: "TestsReady", type: TestsReadyPayload });
  const project = await projectAt(context.repository, head);
  const files = union(
    before?.testFiles ?? [],
    work.paths.filter((path) => !isFixture(path)),
  );
  const kept = batch.dispute === null ? batch.own : [];
  const memo = await memory(workCheck, proof, kept);
  // Without new tests, Impl still has to pass those of the last batch.
  const pending = new Set(memo.pendingTests.flatMap((test) => criteriaOfTest(test, batch)));
  const payload: TestsReadyPayload = {
    testsCommit: head,
    testFiles: files.filter((path) => project.files.has(path)),
    pendingCriteria: batch.criteria.filter((criterion) => pending.has(criterion)),
  };
  const locked = union(Object.keys(entry.locked?.files ?? {}), work.paths);
  const contract = (entry.locked?.required ?? []).filter((test) => isInFile(test, batch.contractSuite));
  return [
    { type: "node.moved", node: id, by: "tests", commit: head, base: entry.base },
    { type: "node.tested", node: id, commit: work.commit },
    {
      type: "node.locked",
      node: id,
      commit: head,
      files: await hashFiles(context.repository, { commit: head, paths: locked }),
      required: union(contract, kept, proof.required),
    },
    { type: "node.accepted", node: id, exit: "TestsReady", ref: await put(payload) },
    ...(await claims(workCheck, payload)),
    { type: "node.remembered", node: id, memory: "tdd", ref: await put(memo) },
  ];
}

async function claims({ context, work }: WorkCheck, real: TestsReadyPayload): Promise<readonly RunEvent[]> {
  const ref = resultOf(context, work.key)?.payload ?? null;
  const reported = ref === null ? null : TestsReadyPayload.safeParse(await decisionPayload(context, ref));
  if (reported === null || !reported.success) return [];
  const wrong = reported.data.pendingCriteria.filter((id) => !real.pendingCriteria.includes(id));
  return wrong.length === 0 ? [] : [unverifiedClaim(work, "pendingCriteria", wrong)];
}

async function memory(
  { context, node, work }: WorkCheck,
  { required }: BatchProof,
  kept: readonly string[],
): Promise<TDDMem> {
  const { tdd } = node.entry.memory;
  const before = tdd === null ? null : await readStored(context, tdd, TDDMem);
  return {
    conversationId: conversationOf(context, work.key),
    coveredCriteria: before?.coveredCriteria ?? [],
    pendingTests: union(
      (before?.pendingTests ?? []).filter((test) => kept.includes(test)),
      required,
    ),
  };
}
