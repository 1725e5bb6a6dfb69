/** Phase 5: judges the test writer's commit; a pass freezes the test files. */
import { parseArchitecture } from "../../gates/documents/architecture-document.ts";
import { disputedTests } from "../../gates/review/dispute.ts";
import { weakenedCode } from "../../gates/suite/weakened-tests.ts";
import type { RunEvent } from "../../log/run-event.ts";
import { proofCommon } from "../../run/proof-ports.ts";
import { proveRed, type RedProof, type RedRequest } from "../../proof/red-proof.ts";
import type { RunContext } from "../../run/context.ts";
import { environmentErrorFact } from "../../run/environment-error.ts";
import { plainOutcomes, type GateRequest, type Gate, type GateResult } from "../../family/gate.ts";
import { criteriaIds, documentText } from "./documents.ts";
import { acceptOrRefuse, candidate, type Candidate } from "./work.ts";

export const redGate: Gate = { outcomes: plainOutcomes, judgesCommit: true, check: judgeRed };

async function judgeRed({ context, command, signal }: GateRequest): Promise<GateResult> {
  const work = candidate(context, "red");
  const criteria = await criteriaIds(context);
  const architecture = parseArchitecture((await documentText(context, "architecture")) ?? "", criteria);
  const proof = await proveRed({
    ...proofCommon(context, signal),
    head: work.commit,
    criteria,
    plan: architecture.plan,
    planned: architecture.files,
    ...disputeOf(context),
  });
  const { verdict, drafts } = proof;
  const facts = [
    ...(await acceptOrRefuse(context, "red", { work, verdict })),
    ...frozenFacts(proof, work),
    ...proofFacts(
      await withFindings(context, proof, {
        code: weakenedCode,
        title: "Mettle found these changes in old tests:",
      }),
      command.key,
    ),
  ];
  return { verdict, drafts, facts };
}

/** Appends the findings of one kind to the output that agents and reviewers read. */
export async function withFindings(
  { payloads }: RunContext,
  { output, fault, verdict }: Pick<RedProof, "output" | "fault" | "verdict">,
  { code, title }: { readonly code: string; readonly title: string },
): Promise<Pick<RedProof, "output" | "fault">> {
  const found = verdict.findings.filter((finding) => finding.code === code);
  if (output === null || found.length === 0) return { output, fault };
  const lines = found.map(({ message, path }) => {
    const isNamed = path === undefined || message.startsWith(`${path}:`);
    return `- ${isNamed ? "" : `${path}: `}${message}`;
  });
  const text = [await payloads.text(output), title, ...lines, ""].join("\n");
  return { output: await payloads.put(text), fault };
}

/** The open dispute: the implementer ended with TI and no RED gate has passed since. */
function disputeOf({ session }: RunContext): Pick<RedRequest, "dispute"> {
  const { commands, order, frozen } = session.view;
  const entries = order.flatMap((key) => commands[key] ?? []);
  const claim = entries.findLastIndex(
    ({ command, result }) => command.type === "dispatch" && command.reports.includes("TI") && result !== null,
  );
  const passed = entries.findLastIndex(
    ({ command, result }) => command.type === "check" && command.gate === "red" && result?.outcome === "pass",
  );
  const result = entries[claim]?.result;
  if (!frozen || result?.outcome !== "TI" || claim < passed) return {};
  const { required: before, commit: red } = frozen;
  return { dispute: { disputed: disputedTests(result.text ?? "", before), before, red } };
}

/** Freezes the test files of accepted work. */
export function frozenFacts(
  { verdict, frozen, required }: Pick<RedProof, "verdict" | "frozen" | "required">,
  { commit }: Candidate,
): readonly RunEvent[] {
  if (verdict.verdict !== "pass") return [];
  return [{ type: "files.frozen", commit, files: { ...frozen }, required: [...required] }];
}

/** Facts of a proof: its output, as the document `test-output` for agents and reviewers, and an error of the environment. */
export function proofFacts(
  { output, fault }: Pick<RedProof, "output" | "fault">,
  key: string,
): readonly RunEvent[] {
  return [
    ...(output === null
      ? []
      : [{ type: "document.written", name: "test-output", ref: output, by: "runtime", key } as const]),
    ...(fault === null
      ? []
      : [environmentErrorFact({ key, code: fault.code, message: fault.message, hint: fault.hint })]),
  ];
}
