/**
 * Judges a Rebaser's work (V3-39, 41, 63): it only adapted, the sibling's lines are there, and on the rebased commit
 * everything that passed still passes. More than an adaptation is a RebaseConflict, and so are tests that fail twice.
 */
import { fileOfTest } from "../../../evidence/test-ids.ts";
import { conclude, failed, unclear } from "../../../gates/check.ts";
import type { Verdict } from "../../../gates/verdict.ts";
import { ownCommits, replay } from "../../../git/replay.ts";
import { invariant } from "../../../lib/assert-never.ts";
import { canonicalJson } from "../../../lib/hash.ts";
import { lastLines } from "../../../lib/text.ts";
import { RebaseAdapted, type RebaseConflict } from "../../../protocol/graph-types/rebaser.ts";
import { abortRebase } from "../rebase/abort-rebase.ts";
import { requireNode, workOf } from "../facts.ts";
import { mergeChanges } from "../rebase/merge-changes.ts";
import type { Node } from "../node.ts";
import { decisionPayload } from "../payloads.ts";
import { advanceBranch } from "../rebase/place-work.ts";
import { rebaseFacts } from "../rebase/rebase-facts.ts";
import { mergedTree, recordedPlace, replayOwnWork, type RebasePlace } from "../rebase/rebase-start.ts";
import type { GateRequest, Gate, GateResult } from "../../../family/gate.ts";
import { reasonsOf } from "../../../engine/checks/reasons.ts";
import type { Candidate } from "../../../engine/checks/work.ts";
import { adaptationFault } from "./adaptation.ts";
import { faultFacts } from "./fault.ts";
import { recordControls } from "./record-controls.ts";
import { proveRebased } from "./rebase-proof.ts";
import { recordVerdict, type TreeProof } from "./tree-proof.ts";

export const nodeRebasedGate: Gate = {
  outcomes: ["pass", "fail", "fail.semantic", "inconclusive"],
  judgesCommit: true,
  async check(request) {
    const { context, command, signal } = request;
    const node = requireNode(context, command);
    const work = workOf(context, node, "rebased");
    const place = await recordedPlace(context, work.from ?? work.commit);
    invariant(place, "a Rebaser's work begins on a head of its parent");
    const made = await replayOwnWork(context, node, place);
    const { exit } = await exitOf(request, place);
    const exits = { pass: exit, fail: isFirst(request) ? "repair" : "RebaseConflict", inconclusive: "none" };
    const controls = await recordControls(context, node, exits);
    const fault = await adaptationFault(context, {
      base: node.entry.base,
      sibling: place.base,
      merged: await mergedTree(context, node, made),
      after: work.commit,
      conflicts: made.conflict?.paths ?? [],
      changes: await mergeChanges(context, node, command.causes),
    });
    if (fault !== null) {
      const checks = [failed(fault.kind === "semantic" ? "mechanical" : "conflict", fault.why)];
      const refused = { context, signal, purpose: "rebase", commit: work.commit, checks, controls } as const;
      return refuseRebase(request, { node, place, work, proof: await recordVerdict(refused), fault });
    }
    const proof = await proveRebased(request, node, { commit: work.commit, place, controls });
    if (proof.verdict.verdict === "inconclusive")
      return { verdict: proof.verdict, drafts: proof.drafts, facts: faultFacts(proof, command.key) };
    if (proof.verdict.verdict === "fail")
      return refuseRebase(request, { node, place, work, proof, fault: null });
    return acceptRebase(request, { node, place, work, proof, rewritten: made.rewritten });
  },
};

interface RebaseAttempt {
  readonly node: Node;
  readonly place: RebasePlace;
  readonly work: Candidate;
  readonly proof: TreeProof;
}

async function acceptRebase(
  request: GateRequest,
  {
    node,
    place,
    work,
    proof,
    rewritten,
  }: RebaseAttempt & { readonly rewritten: ReadonlyMap<string, string> },
): Promise<GateResult> {
  const { context, command, signal } = request;
  const { verdict, drafts } = proof;
  if (signal.aborted) return { verdict, drafts };
  const { repository } = context;
  const { entry } = requireNode(context, command);
  // A child may have been merged while the Rebaser worked: it is replayed too.
  const late = await replay(repository, { from: place.head, to: entry.head, onto: work.commit });
  if (late.conflict !== null)
    return unclearBranch(proof, "a child was merged meanwhile, and conflicts with this");
  const diverged = await advanceBranch(context, { ...node, entry }, { to: late.tip, key: command.key });
  if (diverged !== null) return { verdict: diverged, drafts };
  const from = node.entry.published ?? node.entry.base;
  const rest = (await ownCommits(repository, { from, to: place.head })).filter(
    (commit) => !rewritten.has(commit),
  );
  const { exit, payload } = await exitOf(request, place);
  const facts = await rebaseFacts(context, node, {
    head: late.tip,
    base: place.base,
    rewritten: new Map([...rewritten, ...rest.map((commit) => [commit, work.commit] as const)]),
    exit,
    payload,
    key: command.key,
  });
  return { verdict, drafts, facts, payload: await context.payloads.put(canonicalJson(payload)) };
}

function unclearBranch({ verdict, drafts }: TreeProof, why: string): GateResult {
  return { verdict: conclude({ checks: [...verdict.checks, unclear("branch", why)], findings: [] }), drafts };
}

/** The agent reports what it adapted; the runtime sets the base. */
async function exitOf({ context, command }: GateRequest, { base }: RebasePlace) {
  const cause = command.causes.findLast(({ outcome }) => /^Rebase(?:Clean|Adapted)$/.test(outcome));
  const stepOutput = cause?.payload === undefined ? null : await decisionPayload(context, cause.payload);
  const read = RebaseAdapted.safeParse(stepOutput);
  return read.success && cause?.outcome === "RebaseAdapted"
    ? { exit: "RebaseAdapted" as const, payload: { ...read.data, newBase: base } }
    : { exit: "RebaseClean" as const, payload: { newBase: base } };
}

interface FailedRebase extends RebaseAttempt {
  readonly fault: {
    readonly path: string;
    readonly why: string;
    readonly kind: "unfinished" | "semantic";
  } | null;
}

/** The first failure goes back to the Rebaser. A semantic change, or a second failure, goes to the scaffold. */
async function refuseRebase(
  request: GateRequest,
  { node, place, work, proof, fault }: FailedRebase,
): Promise<GateResult> {
  const { context, command } = request;
  const { drafts, failing, stepOutput } = proof;
  const output = lastLines(stepOutput, shownLines).join("\n");
  const details = [...reasonsOf(proof.verdict), ...(output === "" ? [] : [output])].join("\n");
  if (isFirst(request) && fault?.kind !== "semantic") {
    const payload = await context.payloads.put(canonicalJson({ failingTests: failing, details }));
    return { verdict: { ...proof.verdict, outcome: "fail" }, drafts, payload };
  }
  const path = fault?.path ?? failing.map(fileOfTest)[0] ?? work.paths[0] ?? "";
  const conflict: RebaseConflict = {
    conflictFile: path,
    ourChange: `${work.commit} of ${node.id}: ${work.paths.join(", ")}`,
    theirChange: `${place.base} of its parent`,
    whyUnresolvable: fault?.why ?? `tests fail after a second try: ${failing.join(", ")}`,
  };
  const aborted = await abortRebase(context, node, { conflict, key: command.key });
  if (aborted.type === "diverged") return { verdict: aborted.verdict, drafts };
  const verdict: Verdict = { ...proof.verdict, outcome: "fail.semantic" };
  const payload = await context.payloads.put(canonicalJson(aborted.conflict));
  return { verdict, drafts, facts: aborted.facts, payload };
}

/** Afterwards the protocol's counter is used up, and the failure goes to the scaffold. */
function isFirst({ command }: GateRequest): boolean {
  return (command.counters["repairs"]?.value ?? 0) === 0;
}

const shownLines = 40;
