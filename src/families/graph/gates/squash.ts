/**
 * Squashes a node's work into one commit on its parent's branch and proves it there before publication (V3-38, 60, 61).
 * A failure is MergeRejected by fact; a conflict is never resolved by dropping one side.
 */
import { conclude, failed, shortList, unclear } from "../../../gates/check.ts";
import type { Verdict } from "../../../gates/verdict.ts";
import { commitTree, recordTrailer } from "../../../git/objects/commit.ts";
import { mergeOnBase } from "../../../git/replay.ts";
import { refSafe } from "../../../git/rescue.ts";
import { invariant } from "../../../lib/assert-never.ts";
import { canonicalJson } from "../../../lib/hash.ts";
import { lastLines } from "../../../lib/text.ts";
import type { MergeRejected } from "../../../protocol/graph-types/merger.ts";
import { keep } from "../../../dispatch/workspace/commit.ts";
import { requireNode } from "../facts.ts";
import { ancestorLocks, ownLocks, siblingLocks } from "../locks.ts";
import { workPayload } from "../input/work-payload.ts";
import type { Node } from "../node.ts";
import { parentHead } from "../rebase/parent-branch.ts";
import type { GateRequest, Gate, GateResult } from "../../../family/gate.ts";
import { reasonsOf } from "../../../engine/checks/reasons.ts";
import { faultFacts } from "./fault.ts";
import { recordControls } from "./record-controls.ts";
import { recordVerdict, proveTree, type TreeProof } from "./tree-proof.ts";

export const squashGate: Gate = {
  outcomes: ["ready", "rejected", "inconclusive"],
  async check(request) {
    const { context, command, signal } = request;
    const node = requireNode(context, command);
    const onto = await parentHead(context, node);
    const controls = await recordControls(context, node, exits);
    if (onto.type === "diverged") {
      const verdict = conclude({ checks: [unclear("parent branch", onto.why)], findings: [] });
      return { verdict };
    }
    const { repository } = context;
    const { entry } = node;
    const base = entry.published ?? entry.base;
    const merged = await mergeOnBase(repository, { base, ours: onto.commit, theirs: entry.head });
    if (merged.type === "conflict") {
      const reason = `it conflicts with ${onto.commit} in ${shortList(merged.paths)}`;
      const checks = [failed("conflict", reason, merged.paths)];
      const nothing = { context, signal, purpose: "squash", commit: entry.head, checks, controls } as const;
      return settleSquash(request, node, { proof: await recordVerdict(nothing), candidate: null });
    }
    const commit = await candidateCommit(request, node, { tree: merged.tree, onto: onto.commit });
    const own = await ownLocks(context, node);
    const siblings = siblingLocks(context, node);
    const { contractSuite: contract } = await workPayload(context, node);
    const proof = await proveTree({
      context,
      signal,
      purpose: "squash",
      commit,
      before: [onto.commit],
      required: [...new Set([...siblings.required, ...own.required])],
      locked: { ...(await ancestorLocks(context, node, onto.commit)), ...siblings.files, ...own.files },
      contract,
      build: true,
      controls,
    });
    return settleSquash(request, node, { proof, candidate: { commit, onto: onto.commit } });
  },
};

/** Deterministic for a command, so that a crash creates no second commit. */
async function candidateCommit(
  { context, command }: GateRequest,
  { id }: Node,
  { tree, onto }: { readonly tree: string; readonly onto: string },
): Promise<string> {
  const { repository, run, session } = context;
  const commit = await commitTree(repository, {
    tree,
    parents: [onto],
    subject: `feat(${id}): implement`,
    trailers: {
      "Mettle-Run": run,
      "Mettle-Node": id,
      "Mettle-Key": command.key,
      [recordTrailer]: await session.reserve(command.key),
    },
    dateMs: Date.parse(session.view.commands[command.key]?.at ?? ""),
  });
  await keep(context, `refs/mettle/runs/${run}/${refSafe(command.key)}`, commit);
  return commit;
}

interface SquashResult {
  readonly proof: TreeProof;
  readonly candidate: { readonly commit: string; readonly onto: string } | null;
}

const exits = { pass: "candidate", fail: "MergeRejected", inconclusive: "none" } as const;

const outcomes = { pass: "ready", fail: "rejected", inconclusive: "inconclusive" } as const;

async function settleSquash(
  { context, command }: GateRequest,
  { id }: Node,
  { proof, candidate }: SquashResult,
): Promise<GateResult> {
  const { drafts } = proof;
  const verdict: Verdict = { ...proof.verdict, outcome: outcomes[proof.verdict.verdict] };
  const faults = faultFacts(proof, command.key);
  if (verdict.verdict === "inconclusive") return { verdict, drafts, facts: faults };
  if (verdict.verdict === "fail") {
    const payload = await context.payloads.put(canonicalJson(rejection(proof)));
    return {
      verdict,
      drafts,
      facts: [{ type: "node.accepted", node: id, exit: "MergeRejected", ref: payload }, ...faults],
      payload,
    };
  }
  invariant(candidate, "only a candidate is ready");
  return { verdict, drafts, facts: [{ type: "node.candidate", node: id, ...candidate }, ...faults] };
}

/** The reason in the terms of the specification: the build, the child's own contract suite, or another test (V3-38). */
function rejection({ verdict, stepOutput, failing }: TreeProof): MergeRejected {
  const names = new Set(verdict.checks.filter((check) => check.verdict === "fail").map(({ name }) => name));
  const reason = names.has("build")
    ? "BuildFailure"
    : names.has("contract")
      ? "ContractViolation"
      : "IntegrationFailure";
  const output = lastLines(stepOutput, shownLines).join("\n");
  const details = [...reasonsOf(verdict), ...(output === "" ? [] : [output])].join("\n");
  return { reason, details, failingTests: [...failing] };
}

const shownLines = 40;
