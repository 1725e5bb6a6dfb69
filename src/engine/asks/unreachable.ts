/** The error for a required reviewer that gave no review (ORC-78). Pure. */
import { counted } from "../../lib/counted.ts";
import type { AskCommand } from "../../kernel/command.ts";
import type { EventOf } from "../../log/run-event.ts";
import { askKind } from "../../views/asks.ts";
import type { RunView } from "../../log/run-view.ts";
import { environmentErrorFact } from "../../run/environment-error.ts";

/** @returns null if the run is paused for another reason */
export function unreachableReviewer(view: RunView, ask: AskCommand): EventOf<"warned"> | null {
  if (askKind(ask) !== "paused") return null;
  const review = view.reviews.findLast(({ key }) => ask.causes.some((cause) => cause.key === key));
  if (review?.verdict !== "empty") return null;
  const times = ask.trip === undefined ? "" : ` ${counted(ask.trip.limit, "time")} in a row`;
  return environmentErrorFact({
    key: review.key,
    code: "reviewer_unreachable",
    message: `${review.label} gave no review${times}: ${review.reason}`,
    hint: `fix it, then \`mettle resume ${view.run}\``,
  });
}
