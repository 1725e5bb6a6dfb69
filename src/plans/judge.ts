/** What a review or a person's test says of the newest iteration: it is frozen then, and a change that is asked for is kept. */
import { systemClock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { changePrompt, refuseDecided } from "./prompt/change-prompt.ts";
import type { PromptFields } from "./prompt/prompt.ts";
import { idText, type PromptId } from "./prompt/prompt-id.ts";
import type { PlanFolder } from "./write.ts";

export interface Judgement {
  readonly source: "review" | "testing";
  readonly passed: boolean;
  /** What is to change, or was said. */
  readonly text: string;
  /** The tree that was judged. */
  readonly tree: string | null;
  /** The iteration that was judged; the newest where it is not said. */
  readonly iteration?: number;
  /** The person's answer that it comes from: what was taken once is not taken twice. */
  readonly answer?: string;
  /** Who decided in the reviewer's place. */
  readonly by?: string;
}

export async function judgePrompt(plan: PlanFolder, id: PromptId, judgement: Judgement) {
  return changePrompt(plan, id, (prompt) => {
    refuseDecided(prompt);
    const { fields } = prompt;
    const last = fields.walkthrough.at(-1);
    if (last === undefined || fields.status === "unimplemented")
      throw new AppError("invalid_status", `prompt ${idText(id)} has no recorded implementation`, {
        hint: "envoy plan record-implementation comes first",
      });
    const { source, passed, text, tree, iteration = last.iteration, answer, by } = judgement;
    const known = { id: idText(id), status: fields.status, iteration };
    if (answer !== undefined && fields.reviews.some((review) => review.answer === answer))
      return { fields: null, data: known };
    const at = new Date(systemClock.now()).toISOString();
    const more = { ...(answer !== undefined && { answer }), ...(by !== undefined && { by }) };
    const after: Partial<PromptFields> = {
      // What was said of an older iteration does not carry the newest one on.
      status: !passed ? "implemented" : iteration < last.iteration ? fields.status : statusAfter[source],
      judged_iteration: Math.max(fields.judged_iteration, iteration),
      pending_refinement: passed ? null : { source, text },
      reviews: [...fields.reviews, { source, iteration, passed, text, tree, at, ...more }],
    };
    return { fields: after, data: { ...known, status: after.status } };
  });
}

const statusAfter = { review: "reviewed", testing: "tested" } as const;
