/** The gates of printed steps. */
import type { Gates } from "../checks/check.ts";
import { shownInPlanGate } from "../checks/steps/shown-in-plan.ts";
import { nextPromptsGate } from "../checks/steps/next-prompts.ts";
import { findingsDecidedGate } from "../checks/steps/findings-decided.ts";
import { promptsWrittenGate } from "../checks/steps/prompts-written.ts";

export const gates: Gates = {
  shown_in_plan: shownInPlanGate,
  next_prompts: nextPromptsGate,
  findings_decided: findingsDecidedGate,
  prompts_written: promptsWrittenGate,
};
