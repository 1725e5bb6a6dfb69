/** ℜᴳ: runs the frozen tests of the cycle on exactly DE's commit (TDP-34) and classifies a failure (TDP-27). */
import { failedRows, greenOutcome, greenRows } from "../../../gates/cycle/rows.ts";
import { classifyFailure } from "../../../gates/cycle/test-failure.ts";
import type { Finding, Verdict } from "../../../gates/verdict.ts";
import type { RecordDraft } from "../../../proof/draft.ts";
import type { GateProof } from "../../../proof/proof.ts";
import type { GateRequest, Gate } from "../../../family/gate.ts";
import { proofFacts } from "../../../engine/checks/red.ts";
import { acceptOrRefuse, candidate, type Candidate } from "../../../engine/checks/work.ts";
import { repeatFailing } from "./repeat.ts";
import { changedNumbers, proveCycleGreen, recordOf } from "./shared.ts";

export const cycleGreenGate: Gate = {
  outcomes: ["pass", "fail.tests", "fail.quality", "inconclusive"],
  judgesCommit: true,
  async check(request) {
    const { context, command } = request;
    const work = candidate(context, "green");
    const { base, proof } = await proveCycleGreen(request, work);
    const outcome = greenOutcome(proof.verdict);
    const { findings, drafts } =
      outcome === "fail.tests"
        ? await classified(request, { work, base, proof })
        : { findings: [], drafts: proof.drafts };
    const size = await changedNumbers(context, request.signal, {
      from: work.parent,
      to: work.commit,
      kind: "source",
    });
    const unexecuted = proof.drafts.at(-1)?.controls["unexecuted_lines"];
    const rows = greenRows(proof.verdict, {
      record: recordOf(request, drafts),
      numbers: { ...size, unexecuted_lines: unexecuted ?? "not measured" },
    });
    const verdict: Verdict = {
      ...proof.verdict,
      outcome,
      findings: [...proof.verdict.findings, ...findings, ...failedRows(rows)],
      rows,
    };
    const facts = await acceptOrRefuse(context, "green", { work, verdict });
    return { verdict, drafts, facts: [...facts, ...proofFacts(proof, command.key)] };
  },
};

interface Failed {
  readonly work: Candidate;
  readonly base: string;
  readonly proof: GateProof;
}

/** Reruns the files of the failing tests to find which tests are themselves at fault. */
async function classified(
  { context, signal }: GateRequest,
  { work, base, proof }: Failed,
): Promise<{ readonly findings: readonly Finding[]; readonly drafts: readonly RecordDraft[] }> {
  const required = context.session.view.frozen?.required ?? [];
  const passed = new Set(proof.tests.flatMap(({ id, status }) => (status === "passed" ? [id] : [])));
  const failing = required.filter((id) => !passed.has(id));
  const repeated = await repeatFailing(context, { signal, work, base, required, failing });
  const lost = proof.verdict.checks.find(({ name }) => name === "regressions")?.tests ?? [];
  const findings = classifyFailure({
    required,
    tests: proof.tests,
    repeats: repeated.suites,
    lost,
    rules: context.settings.paths,
    ending: repeated.ending,
  });
  // The gate's own record stays last and includes the repeated runs.
  const inner = proof.drafts.slice(0, -1);
  return { findings, drafts: [...inner, ...repeated.drafts, ...proof.drafts.slice(-1)] };
}
