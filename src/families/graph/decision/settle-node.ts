/**
 * What a node's decision means for the kernel: the outcome with its hint, the children that follow, and the payload with
 * the runtime's own values in it (V3-23, 36, 42).
 */
import { z } from "zod";
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
  /** What the runtime committed of its work, if anything. */
  readonly commit: EventOf<"commit.made"> | null;
}

type NodeSettlement = Pick<Settlement, "outcome" | "items" | "list"> & {
  readonly payload: unknown;
  readonly facts: readonly RunEvent[];
};

export async function settleNode(decided: NodeDecision): Promise<NodeSettlement> {
  const { status } = decided;
  switch (status) {
    case "InitWork":
      return withCommit(decided, { outcome: status, ...childItems(decided) }, "scaffoldCommit");
    case "TestsReady":
      return withCommit(decided, { outcome: upholdsTests(decided) ? "TestsReady.stands" : status }, "testsCommit");
    case "TestsPassed":
      return withCommit(decided, { outcome: status }, "commitHash");
    case "RequestRetry":
      return settleRetry(decided);
    case "Stuck":
      return withCount(decided, "attempts", decided.command.counters["attempt"]?.value ?? 1);
    case "MergeRejected":
      // The runtime has executed every test before it asked, and all passed.
      return withTests(decided, "failingTests", []);
    case "MoreTests":
      return unchanged(
        decided,
        MoreTests.parse(decided.payload).additionalTests.length === 0 ? "MoreTests.fix_impl" : status,
      );
    case "Approved":
      return settleApproval(decided);
    case "RebaseClean":
    case "RebaseAdapted":
      return withCommit({ ...decided, commit: null }, { outcome: status }, "newBase", await baseOf(decided));
    case "RebaseConflict":
      return settleConflict(decided);
    default:
      return unchanged(decided, status);
  }
}

/** The head of the parent that a Rebaser's work stands on. */
async function baseOf({ context, commit }: NodeDecision): Promise<string | undefined> {
  return commit === null ? undefined : (await recordedPlace(context, commit.from ?? commit.commit))?.base;
}

/** The rebase ends here, and the payload names where the work before it is kept (V3-64). */
async function settleConflict(decided: NodeDecision): Promise<NodeSettlement> {
  const { context, command, node, status } = decided;
  const conflict = RebaseConflict.parse(decided.payload);
  const given = await abortRebase(context, node, { conflict, key: command.key });
  if (given.type === "astray") return unchanged(decided, status);
  return { outcome: status, payload: given.conflict, facts: given.facts };
}

function unchanged({ payload }: NodeDecision, outcome: string): NodeSettlement {
  return { outcome, payload, facts: [] };
}

/** The id of a commit is what git says; what the agent said instead is journaled as a claim and never used (V3-42). */
function withCommit(
  decided: NodeDecision,
  told: Pick<NodeSettlement, "outcome" | "items" | "list">,
  field: string,
  value: string | undefined = decided.commit?.commit,
): NodeSettlement {
  const { payload } = decided;
  if (value === undefined) return { ...told, payload, facts: [] };
  const said = reportedValue(decided, field);
  // The runtime commits, so an agent can only say where, HEAD, or nothing.
  const isRight =
    said === "HEAD" ||
    said === "" ||
    (typeof said === "string" && said.length >= 7 && value.startsWith(said));
  const claim = unverifiedClaim(claimSource(decided), field, said);
  return { ...told, payload: { ...(payload as object), [field]: value }, facts: isRight ? [] : [claim] };
}

/** A number is what was counted (V3-42). */
function withCount(decided: NodeDecision, field: string, real: number): NodeSettlement {
  const said = reportedValue(decided, field);
  return withFact(decided, { field, real }, said === real ? [] : [unverifiedClaim(claimSource(decided), field, said)]);
}

/** A list of tests is what was executed (V3-42). */
function withTests(decided: NodeDecision, field: string, real: readonly string[]): NodeSettlement {
  const said = z.array(z.string()).catch([]).parse(reportedValue(decided, field));
  return withFact(decided, { field, real }, unverifiedTests(claimSource(decided), field, { said, real }));
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

/** An attempt that Impl gave up itself is remembered as well: nothing was executed of it. */
async function settleRetry(decided: NodeDecision): Promise<NodeSettlement> {
  const { context, node, command, payload } = decided;
  const told = withTests(decided, "failingTests", await stillFailing(decided));
  const remembered = await rememberRetry(context, node, {
    key: command.key,
    retry: RequestRetry.parse(payload),
  });
  return { ...told, facts: [...told.facts, remembered] };
}

/** Tests that must pass and did not when the runtime last ran them; all of them where it has not yet. */
async function stillFailing({ context, node: { entry } }: NodeDecision): Promise<readonly string[]> {
  const { impl } = entry.memory;
  const passed = impl === null ? [] : (await readStored(context, impl, ImplMem)).passedTests;
  return (entry.locked?.required ?? []).filter((test) => !passed.includes(test));
}

/** A child begins anew where its spec or an interface between the children is another (V3-09). */
function childItems({ node, payload }: NodeDecision): Pick<NodeSettlement, "items" | "list"> {
  const { childSpecs, interfaces } = InitWork.parse(payload);
  const items = (childSpecs ?? []).map((child) => ({
    id: child.id,
    hash: childHash(node, child, interfaces ?? []),
  }));
  return { items, list: "childSpecs" };
}

/** So does one whose merge is no longer on its parent's branch. */
export function childHash({ id, entry }: Node, child: ChildSpec, interfaces: readonly object[]): string {
  const left = entry.left?.[`${id}--${child.id}`];
  return sha256(canonicalJson({ child, interfaces, ...(left === undefined ? {} : { left }) }));
}

/** Asked again because Impl disputes a test, it changed none. */
function upholdsTests({ command, node, commit }: NodeDecision): boolean {
  return (
    command.ctx === "test_issue" && commit !== null && commit.paths.length === 0 && node.entry.tests !== null
  );
}

/** Coverage is what was executed; a criterion without a test asks for tests, whatever the agent approved (V3-36). */
async function settleApproval(decided: NodeDecision): Promise<NodeSettlement> {
  const { context, node, payload } = decided;
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
