/** The gates of the steps family. */
import type { Gates } from "../../family/gate.ts";
import { shownInPlanGate } from "./gates/shown-in-plan.ts";
import { nextPromptsGate } from "./gates/next-prompts.ts";
import { findingsDecidedGate } from "./gates/findings-decided.ts";
import { promptsWrittenGate } from "./gates/prompts-written.ts";

export const gates: Gates = {
  shown_in_plan: shownInPlanGate,
  next_prompts: nextPromptsGate,
  findings_decided: findingsDecidedGate,
  prompts_written: promptsWrittenGate,
};
