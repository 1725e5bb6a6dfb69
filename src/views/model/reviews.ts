/** Reviews as they were given. Pure. */
import type { RunView } from "../../log/run-view.ts";
import { safeText } from "../../lib/safe-text.ts";
import type { ReviewModel } from "./verdict-model.ts";

export function reviewsOf({ reviews }: Pick<RunView, "reviews">): readonly ReviewModel[] {
  return reviews.map((review) => ({
    key: review.key,
    gate: review.gate,
    label: review.label,
    agent: review.agent,
    vendor: review.vendor,
    verdict: review.verdict,
    reason: safeText(review.reason),
    issues: review.issues.map(safeText),
    suggestions: review.suggestions.map(safeText),
    omitted: review.omitted ?? [],
    at: review.at,
  }));
}
