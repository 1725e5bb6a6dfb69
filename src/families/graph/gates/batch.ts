/** What a batch of tests has to cover: criteria without a test, requests of a review, or a dispute (V3-31, 16). */
import { disputedTests } from "../../../gates/review/dispute.ts";
import { unchangedTests } from "../../../gates/node/node-contract.ts";
import { cleanPath } from "../../../gates/node/node-paths.ts";
import { criteriaOfTest, type CriteriaPlan } from "../../../gates/node/node-tests.ts";
import { interfacesOf } from "../../../gates/node/node-scaffold.ts";
import { InitWork } from "../../../protocol/graph-types/scaffold.ts";
import type { Spec } from "../../../protocol/graph-types/shared.ts";
import { MoreTests } from "../../../protocol/graph-types/tdd.ts";
import type { RunContext } from "../../../run/context.ts";
import { allPlannedTests, isInFile, specOf } from "../facts.ts";
import { resultsOf } from "../history.ts";
import type { Node } from "../node.ts";
import { acceptedOf, decisionPayload, requireAccepted } from "../payloads.ts";
import { projectAt } from "../../../proof/project/project.ts";
import type { RedRequest } from "../../../proof/red-proof.ts";
import type { WorkCheck } from "./judge-work.ts";

export interface Batch extends CriteriaPlan {
  readonly spec: Spec;
  readonly work: InitWork;
  readonly contractSuite: string;
  /** Ids of the node's own locked tests, without its contract suite. */
  readonly own: readonly string[];
  /** Criteria that need a new test now. */
  readonly uncovered: readonly string[];
  readonly dispute: NonNullable<RedRequest["dispute"]> | null;
  /** Paths that its tests may import. */
  readonly publicApi: readonly string[];
}

export async function batchOf({ context, node, work: commit }: WorkCheck): Promise<Batch> {
  const { entry } = node;
  const spec = await specOf(context, entry);
  const work = await requireAccepted(context, { entry, exit: "InitWork", type: InitWork });
  const contractSuite = cleanPath(work.contractSuite);
  const criteria = spec.acceptanceCriteria.map(({ id }) => id);
  const belonging = { criteria, plan: await allPlannedTests(context, node) };
  const own = (entry.locked?.required ?? []).filter((id) => !isInFile(id, contractSuite));
  const covered = new Set(own.flatMap((id) => criteriaOfTest(id, belonging)));
  const requested = await requestedCriteria(context, node);
  const dispute = disputeOf(context, { node, own, key: commit.key, criteria });
  return {
    ...belonging,
    spec,
    work,
    contractSuite,
    own,
    uncovered: criteria.filter((id) => dispute !== null || !covered.has(id) || requested.has(id)),
    dispute,
    publicApi: [
      spec.targetPath,
      spec.testPath,
      ...interfacesOf(work),
      ...(await childInterfaces(context, node)),
    ],
  };
}

/** Criteria for which a review requested tests since the last accepted batch. */
async function requestedCriteria(context: RunContext, { frame }: Node): Promise<ReadonlySet<string>> {
  const results = resultsOf(context, frame);
  const accepted = results.findLastIndex(
    ({ command, outcome }) => command.type === "check" && command.gate === "node_red" && outcome === "pass",
  );
  const since = results.slice(accepted + 1).filter(({ outcome }) => outcome === "MoreTests");
  const lists = since.map(async ({ payload }) =>
    MoreTests.parse(await decisionPayload(context, payload ?? "")),
  );
  return new Set(
    (await Promise.all(lists)).flatMap(({ additionalTests }) =>
      additionalTests.map(({ criterionId }) => criterionId),
    ),
  );
}

async function childInterfaces(context: RunContext, { entry }: Node): Promise<readonly string[]> {
  const works = entry.merged.map(async ({ child }) => {
    const merged = context.session.view.nodes[child];
    return merged === undefined
      ? null
      : acceptedOf(context, { entry: merged, exit: "InitWork", type: InitWork });
  });
  return (await Promise.all(works)).flatMap((work) => (work === null ? [] : interfacesOf(work)));
}

interface DisputeRequest {
  readonly node: Node;
  readonly own: readonly string[];
  /** Key of the dispatch that wrote the batch. */
  readonly key: string;
  readonly criteria: readonly string[];
}

/** The dispute that this batch answers: Impl ended with TI. */
function disputeOf(context: RunContext, { node, own, key, criteria }: DisputeRequest): Batch["dispute"] {
  const command = context.session.view.commands[key]?.command;
  if (command?.type !== "dispatch" || command.ctx !== "test_issue" || node.entry.tests === null) return null;
  const claim = resultsOf(context, node.frame).findLast(({ outcome }) => outcome === "TI");
  return {
    disputed: disputedTests(claim?.text ?? "", own, criteria),
    before: own,
    red: node.entry.tests,
  };
}

/** Locked files that the batch changed beyond adding tests. */
export async function changedLocks(
  { context, node, work }: WorkCheck,
  { contractSuite, own, dispute }: Batch,
): Promise<readonly string[]> {
  const locked = new Set(Object.keys(node.entry.locked?.files ?? {}));
  const touched = work.paths.filter((path) => locked.has(path));
  if (touched.length === 0) return [];
  const [base, head] = await Promise.all(
    [work.parent, work.commit].map((commit) => projectAt(context.repository, commit)),
  );
  const before = await base?.texts(touched);
  const now = await head?.texts(touched);
  return touched.filter((path) => {
    const ids = own.filter((id) => isInFile(id, path));
    if (path === contractSuite || ids.length === 0) return true;
    if (dispute !== null) return false;
    const texts = { before: before?.get(path) ?? null, now: now?.get(path) ?? null };
    const isScript = /\.[cm]?[jt]sx?$/u.test(path);
    return !isScript || unchangedTests(path, { ids, ...texts }).length < ids.length;
  });
}
