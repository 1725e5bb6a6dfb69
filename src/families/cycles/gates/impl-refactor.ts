/**
 * ℜᶠⁱ, de_validation: DE's refactored source passes the frozen tests and also the tests before their refactoring
 * (TDP-24, TDP-36). An empty commit is allowed.
 */
import { conclude, failed, passed, unclear } from "../../../gates/check.ts";
import type { Check, Verdict } from "../../../gates/verdict.ts";
import { prove, type GateProof } from "../../../proof/proof.ts";
import { projectAt } from "../../../proof/project/project.ts";
import { recordHashes } from "../../../proof/protected.ts";
import { plainOutcomes, type GateRequest, type Gate } from "../../../family/gate.ts";
import { proofFacts } from "../../../engine/checks/red.ts";
import { acceptOrRefuse, candidate, type Candidate } from "../../../engine/checks/work.ts";
import { oldTestsOn } from "./old-tests.ts";
import { joinDrafts } from "../../../proof/draft.ts";
import { proofCommon } from "../../../run/proof-ports.ts";
import { proveCycleGreen } from "./shared.ts";

export const implRefactorGate: Gate = {
  outcomes: plainOutcomes,
  judgesCommit: true,
  async check(request) {
    const { context, command } = request;
    const work = candidate(context, "impl_refactor");
    const { base, proof: green } = await proveCycleGreen(request, work, { mayBeEmpty: true });
    const proof = await withOldTests(request, { work, base, green });
    const verdict: Verdict = { ...proof.verdict, outcome: proof.verdict.verdict };
    const facts = [
      ...(await acceptOrRefuse(context, "impl_refactor", { work, verdict })),
      ...proofFacts({ output: green.output, fault: proof.fault }, command.key),
    ];
    return { verdict, drafts: proof.drafts, facts };
  },
};

interface GreenResult {
  readonly work: Candidate;
  readonly base: string;
  readonly green: GateProof;
}

/** Runs the old tests only if the frozen tests pass and differ from those that RED froze. */
async function withOldTests(request: GateRequest, { work, base, green }: GreenResult): Promise<GateProof> {
  const { context, signal } = request;
  const { repository, session } = context;
  const { red } = session.view.head;
  if (green.verdict.verdict !== "pass" || red === null) return green;
  const { ports } = proofCommon(context, signal);
  const head = await projectAt(repository, work.commit);
  const revisions = ["--red", red, "--head", work.commit];
  return prove({ purpose: "impl_refactor", revisions, head, ports }, async (made) => {
    made.push(...green.drafts);
    const old = await oldTestsOn(request, { red, base, work });
    const required = session.view.frozen?.required ?? [];
    return {
      verdict: conclude({
        checks: [...green.verdict.checks, checkOf(old?.checks ?? [])],
        findings: green.verdict.findings,
      }),
      record: {
        required,
        controls: {},
        hashes: await recordHashes(repository, head, {
          config: null,
          frozen: session.view.frozen?.files ?? null,
        }),
      },
      drafts: joinDrafts(made, old?.drafts ?? []),
    };
  });
}

function checkOf(checks: readonly Check[]): Check {
  const name = "old_tests";
  const wrong = checks.filter(({ verdict }) => verdict !== "pass");
  const reason = wrong.map((check) => check.reason).join("; ");
  if (wrong.some(({ verdict }) => verdict === "fail"))
    return failed(
      name,
      `the tests as they were before their refactoring must pass on the new source: ${reason}`,
      wrong.flatMap(({ tests }) => tests),
    );
  return wrong.length === 0 ? passed(name) : unclear(name, reason);
}
