/** ℜ: runs one cycle's tests on the commit before it; a pass freezes them beside those of earlier cycles (TDP-32). */
import { disputedTests } from "../../../gates/review/dispute.ts";
import { failedRows, redRows } from "../../../gates/cycle/rows.ts";
import type { GateCommand } from "../../../family/gate.ts";
import { cycleOf, type Cycle } from "../cycle.ts";
import type { RunContext } from "../../../run/context.ts";
import type { RecordDraft } from "../../../proof/draft.ts";
import { proveRed, type RedProof, type RedRequest } from "../../../proof/red-proof.ts";
import { plainOutcomes, type Gate } from "../../../family/gate.ts";
import { frozenFacts, proofFacts } from "../../../engine/checks/red.ts";
import { acceptOrRefuse, candidate } from "../../../engine/checks/work.ts";
import { union } from "../../../lib/lists.ts";
import { joinDrafts } from "../../../proof/draft.ts";
import { proofCommon } from "../../../run/proof-ports.ts";
import { recordOf, standardsOf } from "./shared.ts";
import { commitStubs } from "./stub-commit.ts";

export const cycleRedGate: Gate = {
  outcomes: plainOutcomes,
  judgesCommit: true,
  async check(request) {
    const { context, command, signal } = request;
    const cycle = await cycleOf(context, command);
    const work = candidate(context, "red");
    const { proof, drafts } = await proveWithStubs({
      ...proofCommon(context, signal),
      base: cycle.base,
      head: work.commit,
      criteria: cycle.plan.criteria.map(({ id }) => id),
      plan: {},
      planned: cycle.plan.files,
      declared: cycle.plan.tests,
      ...disputeOf(context, command, cycle),
    });
    const record = recordOf(request, drafts);
    const rows = redRows(proof.verdict, { record, standards: standardsOf(context) });
    const findings = [...proof.verdict.findings, ...failedRows(rows)];
    const verdict = { ...proof.verdict, findings, rows };
    const { key } = command;
    const { number, requiredBefore } = cycle;
    const stubs = { red: work.commit, cycle: number, stubs: proof.stubs, key };
    const facts = [
      ...(verdict.verdict === "pass" ? await commitStubs(context, stubs) : []),
      ...(await acceptOrRefuse(context, "red", { work, verdict })),
      ...frozenFacts({ ...proof, required: union(requiredBefore, proof.required) }, work),
      ...proofFacts(proof, key),
    ];
    return { verdict, drafts, facts };
  },
};

/**
 * A unit that cannot be loaded is no valid reason to fail: the tests run once as they are, and after a load failure
 * again with stubs of the files that the cycle names (TDP-33).
 */
async function proveWithStubs(
  request: RedRequest,
): Promise<{ readonly proof: RedProof; readonly drafts: readonly RecordDraft[] }> {
  const bare = await proveRed({ ...request, planned: [] });
  const unloaded = bare.verdict.checks.some(
    ({ name, verdict }) => verdict === "fail" && ["load", "right_reason"].includes(name),
  );
  if (!unloaded || request.planned.length === 0) return { proof: bare, drafts: bare.drafts };
  const proof = await proveRed(request);
  if (proof.stubs.length === 0 && proof.verdict.verdict !== "pass")
    return { proof: bare, drafts: bare.drafts };
  return { proof, drafts: joinDrafts(bare.drafts, proof.drafts) };
}

/** The open dispute of this cycle: DE reported TI, and no RED of the cycle has passed since. */
function disputeOf(
  { session }: RunContext,
  { frame }: GateCommand,
  { plan, requiredBefore }: Cycle,
): Pick<RedRequest, "dispute"> {
  const { commands, order, frozen } = session.view;
  const entries = order
    .flatMap((key) => commands[key] ?? [])
    .filter(({ command }) => command.frame === frame);
  const claim = entries.findLastIndex(({ result }) => result?.outcome === "TI");
  const passed = entries.findLastIndex(
    ({ command, result }) =>
      command.type === "check" && command.gate === "cycle_red" && result?.outcome === "pass",
  );
  const claimResult = entries[claim]?.result;
  if (!frozen || !claimResult || claim < passed) return {};
  const before = frozen.required.filter((id) => !requiredBefore.includes(id));
  const ids = plan.criteria.map(({ id }) => id);
  return {
    dispute: { disputed: disputedTests(claimResult.text ?? "", before, ids), before, red: frozen.commit },
  };
}
