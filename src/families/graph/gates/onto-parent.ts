/**
 * Rebases a node onto its parent's new head after a sibling was merged (V3-62, 63). If git can do it and everything
 * that passed still passes (V3-41), no agent is dispatched; else the Rebaser repairs it.
 */
import { conclude, failed, shortList, passed, unclear } from "../../../gates/check.ts";
import type { Verdict } from "../../../gates/verdict.ts";
import { isAncestor } from "../../../git/repository.ts";
import { canonicalJson } from "../../../lib/hash.ts";
import { lastLines } from "../../../lib/text.ts";
import { requireNode } from "../facts.ts";
import type { Node } from "../node.ts";
import { advanceBranch, retryWhileMoved } from "../rebase/place-work.ts";
import { rebaseFacts } from "../rebase/rebase-facts.ts";
import { currentPlace, replayOwnWork, type RebasePlace } from "../rebase/rebase-start.ts";
import type { GateRequest, Gate, GateResult } from "../../../family/gate.ts";
import { reasonsOf } from "../../../engine/checks/reasons.ts";
import { faultFacts } from "./fault.ts";
import { recordControls } from "./record-controls.ts";
import { proveRebased } from "./rebase-proof.ts";
import { recordVerdict, type TreeProof } from "./tree-proof.ts";

export const ontoParentGate: Gate = {
  outcomes: ["RebaseClean", "repair", "inconclusive"],
  async check(request) {
    const { context, command, signal } = request;
    const attempt = () => ontoParent(request, requireNode(context, command));
    const judged = await retryWhileMoved(context, attempt, signal);
    if (judged !== "moved") return judged;
    const why = "the node's branch moved during each attempt to rebase it";
    return { verdict: conclude({ checks: [unclear("branch", why)], findings: [] }) };
  },
};

const exits = { pass: "RebaseClean", fail: "repair", inconclusive: "none" } as const;

async function ontoParent(request: GateRequest, node: Node): Promise<GateResult | "moved"> {
  const { context, command, signal } = request;
  const place = currentPlace(context, node);
  const { base } = place;
  const controls = await recordControls(context, node, exits);
  const { repository } = context;
  const { entry } = node;
  if (entry.published === null && (await isAncestor(repository, { ancestor: base, of: entry.base })))
    return clean(request, node, { proof: null, place, tip: entry.head, rewritten: new Map() });
  const { tip, rewritten, conflict } = await replayOwnWork(context, node, place);
  if (conflict !== null) {
    const why = `${node.id} and what was merged into its parent changed the same lines of ${shortList(conflict.paths)}`;
    const checks = [failed("conflict", why, conflict.paths)];
    const refused = { context, signal, purpose: "rebase", commit: entry.head, checks, controls } as const;
    return repair(request, place, await recordVerdict(refused));
  }
  const proof =
    tip === base
      ? await recordVerdict({
          context,
          signal,
          purpose: "rebase",
          commit: tip,
          checks: [passed("own work")],
          controls,
        })
      : await proveRebased(request, node, { commit: tip, place, controls });
  if (proof.verdict.verdict === "inconclusive")
    return { verdict: proof.verdict, drafts: proof.drafts, facts: faultFacts(proof, command.key) };
  if (proof.verdict.verdict === "fail") return repair(request, place, proof);
  return clean(request, node, { proof, place, tip, rewritten });
}

interface Clean {
  /** Null if it is already based on it. */
  readonly proof: TreeProof | null;
  readonly place: RebasePlace;
  readonly tip: string;
  readonly rewritten: ReadonlyMap<string, string>;
}

async function clean(
  { context, command, signal }: GateRequest,
  node: Node,
  { proof, place, tip, rewritten }: Clean,
): Promise<GateResult | "moved"> {
  const payload = { newBase: place.base };
  const ref = await context.payloads.put(canonicalJson(payload));
  const passing = proof?.verdict ?? conclude({ checks: [passed("already there")], findings: [] });
  const verdict: Verdict = { ...passing, outcome: "RebaseClean" };
  if (proof === null || signal.aborted) return { verdict, payload: ref };
  if (requireNode(context, command).entry.head !== place.head) return "moved";
  if ((await advanceBranch(context, node, { to: tip, key: command.key })) !== null) return "moved";
  const { key } = command;
  const facts = await rebaseFacts(context, node, {
    head: tip,
    base: place.base,
    rewritten,
    exit: "RebaseClean",
    payload,
    key,
  });
  return { verdict, drafts: proof.drafts, facts, payload: ref };
}

/** Gives the Rebaser the conflict or the failing tests. */
async function repair(
  { context }: GateRequest,
  { base }: RebasePlace,
  { verdict, drafts, stepOutput, failing }: TreeProof,
): Promise<GateResult> {
  const output = lastLines(stepOutput, shownLines).join("\n");
  const details = [...reasonsOf(verdict), ...(output === "" ? [] : [output])].join("\n");
  const payload = await context.payloads.put(
    canonicalJson({ newParentHead: base, details, failingTests: failing }),
  );
  return { verdict: { ...verdict, outcome: "repair" }, drafts, payload };
}

const shownLines = 40;
