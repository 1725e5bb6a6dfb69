import { loadSettings } from "../../../config/settings.ts";
import { findPlan } from "../../../plans/find-plan.ts";
import { reviewPrompt } from "../../../plans/review/review-prompt.ts";
import { planReviewer } from "../../../dispatch/plan-reviewer.ts";
import type { CommandCall, Data } from "../../command.ts";
import { gateOptionsOf } from "../gate-options.ts";
import { requiredPrompt } from "../prompt-argument.ts";

const usualLimit = 5;

export async function run(call: CommandCall): Promise<Data> {
  const id = requiredPrompt(call.given);
  const plan = await findPlan(call);
  const { root } = plan.repository;
  const { limits } = await loadSettings(root);
  return reviewPrompt(plan, id, {
    reviewer: () => planReviewer(root),
    gateOptions: gateOptionsOf(call, plan),
    limit: limits["envoy_reviews"] ?? usualLimit,
  });
}
