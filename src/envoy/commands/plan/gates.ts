/** `envoy plan block-*-gate`: wait for a person. */
import { findPlan } from "../../../plans/find-plan.ts";
import { blockFindingsGate } from "../../../plans/gates/findings.ts";
import { blockLoggingGate } from "../../../plans/gates/logging.ts";
import { blockTestingGate } from "../../../plans/gates/testing.ts";
import { blockVariantsGate } from "../../../plans/gates/variants.ts";
import type { CommandCall, Data } from "../../command.ts";
import { gateOptionsOf } from "../gate-options.ts";
import { onPrompt } from "../on-prompt.ts";

export const debuggingLogging = onPrompt((plan, id, call) =>
  blockLoggingGate(plan, id, gateOptionsOf(call, plan)),
);

export const promptTesting = onPrompt((plan, id, call) =>
  blockTestingGate(plan, id, gateOptionsOf(call, plan)),
);

export const promptVariants = onPrompt((plan, id, call) =>
  blockVariantsGate(plan, id, gateOptionsOf(call, plan)),
);

export async function findings(call: CommandCall): Promise<Data> {
  const plan = await findPlan(call);
  return blockFindingsGate(plan, gateOptionsOf(call, plan));
}
