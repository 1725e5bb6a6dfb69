/** Gate 1 and the person's approval of the plan; both judge the current documents (ORC-26, 43, 68). */
import { conclude, failed } from "../../gates/check.ts";
import { judgeGate1 } from "../../gates/review/review-gates.ts";
import type { Verdict } from "../../gates/verdict.ts";
import { projectDocuments, takeEdits } from "../../run/documents/documents.ts";
import { executeDocumentCommand } from "../documents/document-command.ts";
import { plainOutcomes, type GateRequest, type Gate, type GateResult } from "../../family/gate.ts";
import { gateInput } from "../../run/reviews.ts";

export const gate1: Gate = { outcomes: plainOutcomes, check: judgePlan };
export const planApprovedGate: Gate = { outcomes: plainOutcomes, check: judgePlan };

async function judgePlan({ context, command, signal }: GateRequest): Promise<GateResult> {
  const edits = await takeEdits(context, command.key);
  const { documents } = context.session.view;
  const current = Object.fromEntries(
    ["spec", "architecture"].map((name) => [
      name,
      edits.find((edit) => edit.name === name)?.ref ?? documents[name]?.ref ?? "",
    ]),
  );
  const verdict: Verdict = judgeGate1(gateInput(context, { gate: 1, current }));
  if (edits.length > 0) return { verdict: asFail(verdict), facts: edits };
  await projectDocuments(context);
  const draft = await executeDocumentCommand({
    context,
    argv: ["git", "hash-object"],
    documents: ["spec", "architecture"],
    signal,
  });
  return { verdict, drafts: [draft] };
}

/** An edit voids both verdicts. */
function asFail(verdict: Verdict): Verdict {
  if (verdict.verdict === "fail") return verdict;
  return conclude({
    checks: [failed("documents", "they changed after the reviews; both must review again")],
    findings: [],
  });
}
