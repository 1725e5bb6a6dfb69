import { loadSettings } from "../../../config/settings.ts";
import { planReviewer } from "../../../dispatch/plan-reviewer.ts";
import { reviewWorkOnPrompt } from "../../../plans/review/review-work.ts";
import { gateOptionsOf } from "../gate-options.ts";
import { onPrompt } from "../on-prompt.ts";

const usualLimit = 5;

export const run = onPrompt(async (plan, id, call) => {
  const { root } = plan.repository;
  const { limits } = await loadSettings(root);
  return reviewWorkOnPrompt(plan, id, {
    reviewer: () => planReviewer(root),
    gateOptions: gateOptionsOf(call, plan),
    limit: limits["envoy_reviews"] ?? usualLimit,
  });
});
