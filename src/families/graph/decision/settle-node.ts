/**
 * What a node's decision means for the kernel: the outcome, the children that follow, and the payload with the
 * runtime's own values (V3-23, 36, 42).
 */
import * as z from "zod";
import { canonicalJson, sha256 } from "../../../lib/hash.ts";
import type { DispatchCommand } from "../../../kernel/command.ts";
import type { EventOf, RunEvent } from "../../../log/run-event.ts";
import { ImplMem, RequestRetry } from "../../../protocol/graph-types/impl.ts";
import { RebaseConflict } from "../../../protocol/graph-types/rebaser.ts";
import { InitWork, type ChildSpec } from "../../../protocol/graph-types/scaffold.ts";
import { TDDApproval } from "../../../protocol/graph-types/shared.ts";
import { MoreTests } from "../../../protocol/graph-types/tdd.ts";
import type { RunContext } from "../../../run/context.ts";
import type { Settlement } from "../../../run/settlement.ts";
import { abortRebase } from "../rebase/abort-rebase.ts";
import { unverifiedClaim, unverifiedTests, type ClaimSource } from "./claims.ts";
import { coverageOf } from "./coverage.ts";
import type { Node } from "../node.ts";
import { readStored } from "../payloads.ts";
import { rememberRetry } from "../prompt/impl-memory.ts";
import { recordedPlace } from "../rebase/rebase-start.ts";

interface NodeDecision {
  readonly context: RunContext;
  readonly command: DispatchCommand;
  readonly node: Node;
  readonly status: string;
  readonly payload: unknown;
  /** The commit that the runtime made of its work, if any. */
  readonly commit: EventOf<"commit.made"> | null;
}

type NodeSettlement = Pick<Settlement, "outcome" | "items" | "list"> & {
  readonly payload: unknown;
  readonly facts: readonly RunEvent[];
};

export async function settleNode(decision: NodeDecision): Promise<NodeSettlement> {
  const { status } = decision;
  switch (status) {
    case "InitWork":
      return withCommit(decision, { outcome: status, ...childItems(decision) }, "scaffoldCommit");
    case "TestsReady":
      return withCommit(
        decision,
        { outcome: upholdsTests(decision) ? "TestsReady.stands" : status },
        "testsCommit",
      );
    case "TestsPassed":
      return withCommit(decision, { outcome: status }, "commitHash");
    case "RequestRetry":
      return settleRetry(decision);
    case "Stuck":
      return withCount(decision, "attempts", decision.command.counters["attempt"]?.value ?? 1);
    case "MergeRejected":
      // The runtime executed every test before it dispatched the Merger, and all passed.
      return withTests(decision, "failingTests", []);
    case "MoreTests":
      return unchanged(
        decision,
        MoreTests.parse(decision.payload).additionalTests.length === 0 ? "MoreTests.fix_impl" : status,
      );
    case "Approved":
      return settleApproval(decision);
    case "RebaseClean":
    case "RebaseAdapted":
      return withCommit(
        { ...decision, commit: null },
        { outcome: status },
        "newBase",
        await baseOf(decision),
      );
    case "RebaseConflict":
      return settleConflict(decision);
    default:
      return unchanged(decision, status);
  }
}

/** The head of the parent that the Rebaser's work is based on. */
async function baseOf({ context, commit }: NodeDecision): Promise<string | undefined> {
  return commit === null ? undefined : (await recordedPlace(context, commit.from ?? commit.commit))?.base;
}

/** Ends the rebase; the payload names where the earlier work is kept (V3-64). */
async function settleConflict(decision: NodeDecision): Promise<NodeSettlement> {
  const { context, command, node, status } = decision;
  const conflict = RebaseConflict.parse(decision.payload);
  const aborted = await abortRebase(context, node, { conflict, key: command.key });
  if (aborted.type === "diverged") return unchanged(decision, status);
  return { outcome: status, payload: aborted.conflict, facts: aborted.facts };
}

function unchanged({ payload }: NodeDecision, outcome: string): NodeSettlement {
  return { outcome, payload, facts: [] };
}

/** Sets the commit id that git reports. Another id from the agent is journaled as a claim and never used (V3-42). */
function withCommit(
  decision: NodeDecision,
  settlement: Pick<NodeSettlement, "outcome" | "items" | "list">,
  field: string,
  value: string | undefined = decision.commit?.commit,
): NodeSettlement {
  const { payload } = decision;
  if (value === undefined) return { ...settlement, payload, facts: [] };
  const reported = reportedValue(decision, field);
  // The agent does not commit, so it can only report an abbreviation, HEAD or nothing.
  const isRight =
    reported === "HEAD" ||
    reported === "" ||
    (typeof reported === "string" && reported.length >= 7 && value.startsWith(reported));
  const claim = unverifiedClaim(claimSource(decision), field, reported);
  return {
    ...settlement,
    payload: { ...(payload as object), [field]: value },
    facts: isRight ? [] : [claim],
  };
}

/** Sets the counted number (V3-42). */
function withCount(decision: NodeDecision, field: string, real: number): NodeSettlement {
  const reported = reportedValue(decision, field);
  return withFact(
    decision,
    { field, real },
    reported === real ? [] : [unverifiedClaim(claimSource(decision), field, reported)],
  );
}

/** Sets the list of executed tests (V3-42). */
function withTests(decision: NodeDecision, field: string, real: readonly string[]): NodeSettlement {
  const reported = z.array(z.string()).catch([]).parse(reportedValue(decision, field));
  return withFact(
    decision,
    { field, real },
    unverifiedTests(claimSource(decision), field, { reported, real }),
  );
}

function withFact(
  { status, payload }: NodeDecision,
  { field, real }: { readonly field: string; readonly real: unknown },
  facts: readonly RunEvent[],
): NodeSettlement {
  return { outcome: status, payload: { ...(payload as object), [field]: real }, facts };
}

function claimSource({ command, commit }: NodeDecision): ClaimSource {
  return { key: command.key, tree: commit?.tree ?? "" };
}

function reportedValue({ payload }: NodeDecision, field: string): unknown {
  return (payload as Readonly<Record<string, unknown>>)[field];
}

/** An attempt that Impl gives up is added to its memory too, although nothing was executed. */
async function settleRetry(decision: NodeDecision): Promise<NodeSettlement> {
  const { context, node, command, payload } = decision;
  const settlement = withTests(decision, "failingTests", await stillFailing(decision));
  const remembered = await rememberRetry(context, node, {
    key: command.key,
    retry: RequestRetry.parse(payload),
  });
  return { ...settlement, facts: [...settlement.facts, remembered] };
}

/** Required tests that did not pass when the runtime last ran them; all of them before the first run. */
async function stillFailing({ context, node: { entry } }: NodeDecision): Promise<readonly string[]> {
  const { impl } = entry.memory;
  const passed = impl === null ? [] : (await readStored(context, impl, ImplMem)).passedTests;
  return (entry.locked?.required ?? []).filter((test) => !passed.includes(test));
}

/** A child restarts if its spec or an interface between the children changed (V3-09). */
function childItems({ node, payload }: NodeDecision): Pick<NodeSettlement, "items" | "list"> {
  const { childSpecs, interfaces } = InitWork.parse(payload);
  const items = (childSpecs ?? []).map((child) => ({
    id: child.id,
    hash: childHash(node, child, interfaces ?? []),
  }));
  return { items, list: "childSpecs" };
}

/** Also changes if the child's merge is no longer on its parent's branch. */
export function childHash({ id, entry }: Node, child: ChildSpec, interfaces: readonly object[]): string {
  const left = entry.left?.[`${id}--${child.id}`];
  return sha256(canonicalJson({ child, interfaces, ...(left === undefined ? {} : { left }) }));
}

/** TDD was dispatched because Impl disputes a test, and changed no test. */
function upholdsTests({ command, node, commit }: NodeDecision): boolean {
  return (
    command.ctx === "test_issue" && commit !== null && commit.paths.length === 0 && node.entry.tests !== null
  );
}

/** Coverage comes from executed tests. A criterion without a test turns the approval into MoreTests (V3-36). */
async function settleApproval(decision: NodeDecision): Promise<NodeSettlement> {
  const { context, node, payload } = decision;
  const { signOff } = TDDApproval.parse(payload);
  const coverageReport = await coverageOf(context, node);
  const approval = { signOff, coverageReport };
  if (coverageReport.criteriaMissing.length === 0) {
    const ref = await context.payloads.put(canonicalJson(approval));
    return {
      outcome: "Approved",
      payload: approval,
      facts: [{ type: "node.accepted", node: node.id, exit: "Approved", ref }],
    };
  }
  const additionalTests = coverageReport.criteriaMissing.map((criterionId) => ({
    criterionId,
    plannedTestName: `${criterionId}: is covered`,
    approach: "no executed test belongs to this criterion",
  }));
  return { outcome: "MoreTests", payload: { critiques: [], additionalTests }, facts: [] };
}
