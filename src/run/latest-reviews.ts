/** The newest reviews of a gate, for display. */
import type { GateReviews } from "../views/gate/review-text.ts";
import type { RunView } from "../log/run-view.ts";

export function latestReviews(view: RunView, gate: number): GateReviews {
  const given = view.reviews.filter((review) => review.gate === gate);
  const labels = view.started?.reviewers ?? [];
  const newest = labels.flatMap((label) => given.findLast((review) => review.label === label) ?? []);
  const silent = newest.find(
    ({ verdict, label }) => verdict === "empty" && label === view.started?.reviewers[0],
  );
  return {
    reviews: newest
      .filter((review) => review !== silent)
      .map(({ label, agent, vendor, verdict, reason, fields }) => ({
        label,
        agent,
        vendor,
        verdict,
        reason,
        fields,
      })),
    silent: silent?.label ?? null,
  };
}
