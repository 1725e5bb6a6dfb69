/**
 * Moves the parent's branch to the candidate if it is still where the candidate was verified (V3-61), and broadcasts
 * the changes to the siblings (V3-21). Idempotent: after a crash the move is found done.
 */
import type * as z from "zod";
import { conclude, failed, passed, unclear } from "../../../gates/check.ts";
import { impactOf, interfaceDifference, type Impact } from "../../../gates/node/interface-difference.ts";
import { kindOf } from "../../../source/paths.ts";
import { loadParser } from "../../../source/syntax.ts";
import type { Verdict } from "../../../gates/verdict.ts";
import { isAncestor } from "../../../git/repository.ts";
import { updateRef } from "../../../git/refs.ts";
import { changedPaths, treeOf } from "../../../git/objects/tree.ts";
import type { EventOf, RunEvent } from "../../../log/run-event.ts";
import { invariant } from "../../../lib/assert-never.ts";
import { canonicalJson } from "../../../lib/hash.ts";
import { MergeComplete } from "../../../protocol/graph-types/shared.ts";
import type { RunContext } from "../../../run/context.ts";
import { graphRules } from "../facts.ts";
import { ownLocks } from "../locks.ts";
import { mergeRequest } from "../merge-request/merge-request.ts";
import { entryOf, nodeOf, type Node } from "../node.ts";
import { parentHead, parentRef } from "../rebase/parent-branch.ts";
import { decisionPayload } from "../payloads.ts";
import { projectAt } from "../../../proof/project/project.ts";
import type { GateRequest, Gate } from "../../../family/gate.ts";

type Candidate = EventOf<"node.candidate">;

export const publishGate: Gate = {
  outcomes: ["done", "moved", "inconclusive"],
  async check({ context, command, signal }) {
    const node = nodeOf(context, command);
    const candidate = node?.entry.candidate;
    invariant(node && candidate, "only a verified candidate is published");
    const moved = await moveParent(context, node, candidate);
    if (moved !== null) return { verdict: moved };
    const report = await readReport(context, command);
    const impact = await measureImpact(context, candidate, report);
    const complete: MergeComplete = {
      mergeCommit: candidate.commit,
      author: node.id,
      impactLevel: impact.impactLevel,
      changes: [...impact.changes],
    };
    const ref = await context.payloads.put(canonicalJson(complete));
    const verdict: Verdict = {
      ...conclude({ checks: [passed("published")], findings: [] }),
      outcome: "done",
    };
    const proof = context.session.view.records.findLast(
      ({ purpose, commit }) => purpose === "squash" && commit === candidate.commit,
    );
    return {
      verdict,
      facts: [
        ...(await claims(context, { key: command.key, report, complete })),
        ...(await mergeFacts(context, node, { candidate, ref })),
        ...(await mergeRequest(context, node, { ...candidate, record: proof?.id ?? null, signal })),
      ],
      payload: ref,
      ...(proof === undefined ? {} : { proof: proof.id }),
    };
  },
};

/** Null if the candidate is on the branch now or already was. */
async function moveParent(context: RunContext, node: Node, candidate: Candidate): Promise<Verdict | null> {
  const { repository } = context;
  const name = parentRef(context, node);
  const parent = await parentHead(context, node);
  if (parent.type === "diverged")
    return conclude({ checks: [unclear("published", parent.why)], findings: [] });
  const { ref, commit } = parent;
  // Somebody may already have continued from it.
  if (ref !== null && (await isAncestor(repository, { ancestor: candidate.commit, of: ref }))) return null;
  const isThere =
    commit === candidate.onto &&
    (await updateRef(repository, { ref: name, to: candidate.commit, from: ref }));
  if (isThere) return null;
  const reason = `${name} is no longer at ${candidate.onto}, where this was verified`;
  return { ...conclude({ checks: [failed("published", reason)], findings: [] }), outcome: "moved" };
}

const MergeReport = MergeComplete.partial();
type MergeReport = z.infer<typeof MergeReport>;

/** The Merger's report; empty if it cannot be read. */
async function readReport(context: RunContext, command: GateRequest["command"]): Promise<MergeReport> {
  const cause = command.causes.findLast(({ outcome }) => outcome === "MergeComplete");
  if (cause?.payload === undefined) return {};
  const read = MergeReport.safeParse(await decisionPayload(context, cause.payload));
  return read.success ? read.data : {};
}

async function measureImpact(
  context: RunContext,
  { commit, onto }: Candidate,
  { impactLevel = "Trivial", changes = [] }: MergeReport,
): Promise<Impact> {
  const { repository } = context;
  const rules = await graphRules(context);
  const paths = (await changedPaths(repository, { from: onto, to: commit }))
    .map(({ path }) => path)
    .filter((path) => kindOf(path, rules) === "source");
  const [before, after] = await Promise.all([projectAt(repository, onto), projectAt(repository, commit)]);
  const texts = { before: await before.texts(paths), after: await after.texts(paths) };
  const facts = interfaceDifference(texts.before, texts.after, await loadParser());
  return impactOf({ impactLevel, changes }, facts);
}

/** A level that was too low and an unknown commit are journaled as claims (V3-42). */
async function claims(
  { repository }: RunContext,
  of: { readonly key: string; readonly report: MergeReport; readonly complete: MergeComplete },
): Promise<readonly RunEvent[]> {
  const { key, report, complete } = of;
  const tree = await treeOf(repository, complete.mergeCommit);
  const names = ["impactLevel", "mergeCommit", "author"] as const;
  // The agent does not commit, so HEAD or nothing is no claim.
  const unsaid: readonly (string | undefined)[] = [undefined, "", "HEAD"];
  return names
    .filter((name) => !unsaid.includes(report[name]) && report[name] !== complete[name])
    .map((name) => ({
      type: "claim.unverified",
      key,
      phrase: name,
      excerpt: `${name}: ${report[name] ?? ""}`,
      tree,
    }));
}

async function mergeFacts(
  context: RunContext,
  node: Node,
  { candidate, ref }: { readonly candidate: Candidate; readonly ref: string },
): Promise<readonly RunEvent[]> {
  const { id, parent } = node;
  const { commit } = candidate;
  const { files, required } = await ownLocks(context, node);
  const into = parent ?? "base";
  return [
    { type: "node.accepted", node: id, exit: "MergeComplete", ref },
    ...(parent === null
      ? []
      : [
          {
            type: "node.moved",
            node: parent,
            by: "child",
            commit,
            base: entryOf(context, parent).base,
          } as const,
        ]),
    { type: "node.merged", node: into, child: id, commit, event: ref, files, required: [...required] },
  ];
}
