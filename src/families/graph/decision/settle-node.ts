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
import { claimed, claimedTests, type ClaimedAt } from "./claims.ts";
import { coverageOf } from "./coverage.ts";
import type { Node } from "../node.ts";
import { readStored } from "../payloads.ts";
import { rememberRetry } from "../prompt/impl-memory.ts";
import { placeOf } from "../rebase/rebase-start.ts";

interface Deciding {
  readonly context: RunContext;
  readonly command: DispatchCommand;
  readonly node: Node;
  readonly status: string;
  readonly payload: unknown;
  /** What the runtime committed of its work, if anything. */
  readonly commit: EventOf<"commit.made"> | null;
}

type Told = Pick<Settlement, "outcome" | "items" | "list"> & {
  readonly payload: unknown;
  readonly facts: readonly RunEvent[];
};

export async function settleNode(decided: Deciding): Promise<Told> {
  const { status } = decided;
  switch (status) {
    case "InitWork":
      return withCommit(decided, { outcome: status, ...childItems(decided) }, "scaffoldCommit");
    case "TestsReady":
      return withCommit(decided, { outcome: stands(decided) ? "TestsReady.stands" : status }, "testsCommit");
    case "TestsPassed":
      return withCommit(decided, { outcome: status }, "commitHash");
    case "RequestRetry":
      return retried(decided);
    case "Stuck":
      return withCount(decided, "attempts", decided.command.counters["attempt"]?.value ?? 1);
    case "MergeRejected":
      // The runtime has executed every test before it asked, and all passed.
      return withTests(decided, "failingTests", []);
    case "MoreTests":
      return plain(
        decided,
        MoreTests.parse(decided.payload).additionalTests.length === 0 ? "MoreTests.fix_impl" : status,
      );
    case "Approved":
      return approved(decided);
    case "RebaseClean":
    case "RebaseAdapted":
      return withCommit({ ...decided, commit: null }, { outcome: status }, "newBase", await baseOf(decided));
    case "RebaseConflict":
      return givenUp(decided);
    default:
      return plain(decided, status);
  }
}

/** The head of the parent that a Rebaser's work stands on. */
async function baseOf({ context, commit }: Deciding): Promise<string | undefined> {
  return commit === null ? undefined : (await placeOf(context, commit.from ?? commit.commit))?.base;
}

/** The rebase ends here, and the payload names where the work before it is kept (V3-64). */
async function givenUp(decided: Deciding): Promise<Told> {
  const { context, command, node, status } = decided;
  const conflict = RebaseConflict.parse(decided.payload);
  const given = await abortRebase(context, node, { conflict, key: command.key });
  if (given.type === "astray") return plain(decided, status);
  return { outcome: status, payload: given.conflict, facts: given.facts };
}

function plain({ payload }: Deciding, outcome: string): Told {
  return { outcome, payload, facts: [] };
}

/** The id of a commit is what git says; what the agent said instead is journaled as a claim and never used (V3-42). */
function withCommit(
  decided: Deciding,
  told: Pick<Told, "outcome" | "items" | "list">,
  field: string,
  value: string | undefined = decided.commit?.commit,
): Told {
  const { payload } = decided;
  if (value === undefined) return { ...told, payload, facts: [] };
  const said = saidIn(decided, field);
  // The runtime commits, so an agent can only say where, HEAD, or nothing.
  const isRight =
    said === "HEAD" ||
    said === "" ||
    (typeof said === "string" && said.length >= 7 && value.startsWith(said));
  const claim = claimed(claimedAt(decided), field, said);
  return { ...told, payload: { ...(payload as object), [field]: value }, facts: isRight ? [] : [claim] };
}

/** A number is what was counted (V3-42). */
function withCount(decided: Deciding, field: string, real: number): Told {
  const said = saidIn(decided, field);
  return withFact(decided, { field, real }, said === real ? [] : [claimed(claimedAt(decided), field, said)]);
}

/** A list of tests is what was executed (V3-42). */
function withTests(decided: Deciding, field: string, real: readonly string[]): Told {
  const said = z.array(z.string()).catch([]).parse(saidIn(decided, field));
  return withFact(decided, { field, real }, claimedTests(claimedAt(decided), field, { said, real }));
}

function withFact(
  { status, payload }: Deciding,
  { field, real }: { readonly field: string; readonly real: unknown },
  facts: readonly RunEvent[],
): Told {
  return { outcome: status, payload: { ...(payload as object), [field]: real }, facts };
}

function claimedAt({ command, commit }: Deciding): ClaimedAt {
  return { key: command.key, tree: commit?.tree ?? "" };
}

function saidIn({ payload }: Deciding, field: string): unknown {
  return (payload as Readonly<Record<string, unknown>>)[field];
}

/** An attempt that Impl gave up itself is remembered as well: nothing was executed of it. */
async function retried(decided: Deciding): Promise<Told> {
  const { context, node, command, payload } = decided;
  const told = withTests(decided, "failingTests", await stillFailing(decided));
  const remembered = await rememberRetry(context, node, {
    key: command.key,
    retry: RequestRetry.parse(payload),
  });
  return { ...told, facts: [...told.facts, remembered] };
}

/** Tests that must pass and did not when the runtime last ran them; all of them where it has not yet. */
async function stillFailing({ context, node: { entry } }: Deciding): Promise<readonly string[]> {
  const { impl } = entry.memory;
  const passed = impl === null ? [] : (await readStored(context, impl, ImplMem)).passedTests;
  return (entry.locked?.required ?? []).filter((test) => !passed.includes(test));
}

/** A child begins anew where its spec or an interface between the children is another (V3-09). */
function childItems({ node, payload }: Deciding): Pick<Told, "items" | "list"> {
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
function stands({ command, node, commit }: Deciding): boolean {
  return (
    command.ctx === "test_issue" && commit !== null && commit.paths.length === 0 && node.entry.tests !== null
  );
}

/** Coverage is what was executed; a criterion without a test asks for tests, whatever the agent approved (V3-36). */
async function approved(decided: Deciding): Promise<Told> {
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
