/** How often a prompt was sent back by reviews alone, since a person last had a word in it. */
import type { Prompt } from "../prompt/prompt.ts";

export function failedReviews({ fields: { reviews, reviews_settled } }: Prompt): number {
  const decided = reviews.findLastIndex(({ source, by }) => source === "testing" || by !== undefined);
  const since = reviews.slice(Math.max(reviews_settled, decided + 1));
  return since.filter(({ source, passed }) => source === "review" && !passed).length;
}
