/** The gate at which a person decides whether a prompt goes on after too many failed reviews. */
import { counted } from "../../lib/counted.ts";
import { stripControls } from "../../lib/text.ts";
import { changePrompt } from "../prompt/change-prompt.ts";
import type { PlanLocation } from "../find-plan.ts";
import type { PlanPrompt } from "../prompt/prompt.ts";
import { idText } from "../prompt/prompt-id.ts";
import { gateSchema, type PlanGate } from "./gate.ts";
import { howToAnswer } from "./prompt-comments.ts";

const schema = gateSchema({});

export function reviewLimitGate(plan: PlanLocation, { id, fields }: PlanPrompt, failed: number): PlanGate {
  const name = `${idText(id)}_review_limit`;
  const { reviews } = fields;
  return {
    name,
    plan,
    title: `Failed reviews of prompt ${idText(id)}`,
    shown: { key: `${reviews.length}`, iteration: fields.walkthrough.at(-1)?.iteration ?? null, tree: null },
    comments: [
      `${counted(failed, "review")} of prompt ${idText(id)} of ${plan.branch} failed in a row.`,
      "The last one requires:",
      ...(reviews.at(-1)?.text ?? "").split(/\r?\n/u).map((line) => `  ${line}`),
      "",
      "Set done to true to let its agent continue; the reviewer and the agent get your thoughts.",
      ...howToAnswer(name, ["thoughts=TEXT"]),
    ].map(stripControls),
    blank: {},
    schema,
    logsHead: null,
    judge: async () => null,
    words: ({ thoughts }) => thoughts.trim(),
    apply: async ({ shown }) => {
      const settled = Number(shown.key);
      await changePrompt(plan, id, (prompt) => ({
        fields: prompt.fields.reviews_settled >= settled ? null : { reviews_settled: settled },
        data: null,
      }));
    },
  };
}

/** How many reviews have failed since a person last decided about the prompt. */
export function failedReviews({ fields: { reviews, reviews_settled } }: PlanPrompt): number {
  const decided = reviews.findLastIndex(({ source, by }) => source === "testing" || by !== undefined);
  const since = reviews.slice(Math.max(reviews_settled, decided + 1));
  return since.filter(({ source, passed }) => source === "review" && !passed).length;
}
