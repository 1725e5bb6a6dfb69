/** Gate name -> its code. Adding a gate touches two lines here. */
import { AppError } from "../../lib/errors.ts";
import type { Protocol } from "../../protocol/machine.ts";
import { architectureGate, specGate } from "./documents.ts";
import type { Gate } from "./check.ts";
import { codeApprovedGate } from "./code-approved.ts";
import { cycleGreenGate } from "./cycle/green.ts";
import { implRefactorGate } from "./cycle/impl-refactor.ts";
import { cycleRedGate } from "./cycle/red.ts";
import { refactorGate } from "./cycle/refactor.ts";
import { suiteGate } from "./cycle/suite.ts";
import { testRefactorGate } from "./cycle/test-refactor.ts";
import { finalGate } from "./final.ts";
import { greenGate } from "./green.ts";
import { nodeContractsGate } from "./node/contracts.ts";
import { nodeGreenGate } from "./node/green.ts";
import { ontoParentGate } from "./node/onto-parent.ts";
import { publishGate } from "./node/publish.ts";
import { nodeRebasedGate } from "./node/rebased.ts";
import { nodeRedGate } from "./node/red.ts";
import { nodeScaffoldGate } from "./node/scaffold.ts";
import { squashGate } from "./node/squash.ts";
import { gate1, planApprovedGate } from "./plan-gates.ts";
import { redGate } from "./red.ts";
import { gate2, gate3 } from "./review-gates.ts";
import { findingsDecidedGate } from "./steps/findings-decided.ts";
import { nextPromptsGate } from "./steps/next-prompts.ts";
import { promptsWrittenGate } from "./steps/prompts-written.ts";
import { shownInPlanGate } from "./steps/shown-in-plan.ts";
import { topicsGate } from "./topics.ts";

export const gates: Readonly<Record<string, Gate>> = {
  topics: topicsGate,
  spec: specGate,
  architecture: architectureGate,
  gate1,
  plan_approved: planApprovedGate,
  red: redGate,
  gate2,
  green: greenGate,
  gate3,
  code_approved: codeApprovedGate,
  final: finalGate,
  cycle_red: cycleRedGate,
  cycle_green: cycleGreenGate,
  test_refactor: testRefactorGate,
  impl_refactor: implRefactorGate,
  suite: suiteGate,
  refactor: refactorGate,
  node_scaffold: nodeScaffoldGate,
  node_red: nodeRedGate,
  node_green: nodeGreenGate,
  node_contracts: nodeContractsGate,
  squash: squashGate,
  publish: publishGate,
  onto_parent: ontoParentGate,
  node_rebased: nodeRebasedGate,
  shown_in_plan: shownInPlanGate,
  next_prompts: nextPromptsGate,
  findings_decided: findingsDecidedGate,
  prompts_written: promptsWrittenGate,
};

/** Refuses a protocol whose gates this version does not have, or that expects other answers from them. */
export function assertGates(protocol: Protocol): void {
  for (const [name, outcomes] of Object.entries(protocol.gates)) {
    const gate = Object.hasOwn(gates, name) ? gates[name] : undefined;
    const hint = `gates of this version: ${Object.keys(gates).join(", ")}`;
    if (!gate) throw new AppError("protocol_invalid", `${protocol.name} needs the gate ${name}`, { hint });
    const differ = [...gate.outcomes].sort().join() !== [...outcomes].sort().join();
    if (differ)
      throw new AppError("protocol_invalid", `the gate ${name} answers ${gate.outcomes.join(", ")}`, {
        hint: `write gates.${name}: [${gate.outcomes.join(", ")}]`,
      });
  }
}
