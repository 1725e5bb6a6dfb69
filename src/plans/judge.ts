/** Records the judgement of a review or a person's test on an iteration. A judged iteration cannot be recorded again. */
import { systemClock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { changePrompt, refuseDecided } from "./prompt/change-prompt.ts";
import type { PromptFields } from "./prompt/prompt.ts";
import { idText, type PromptId } from "./prompt/prompt-id.ts";
import type { PlanFolder } from "./write.ts";

export interface PromptJudgement {
  readonly source: "review" | "testing";
  readonly passed: boolean;
  /** Required changes, or remarks. */
  readonly text: string;
  /** The tree that was judged. */
  readonly tree: string | null;
  /** The judged iteration; the last one by default. */
  readonly iteration?: number;
  /** Id of the person's answer that it comes from; an answer counts once. */
  readonly answer?: string;
  /** The person who decided in place of the reviewer. */
  readonly by?: string;
}

export async function judgePrompt(plan: PlanFolder, id: PromptId, judgement: PromptJudgement) {
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
      // A judgement of an older iteration does not advance the status.
      status: !passed ? "implemented" : iteration < last.iteration ? fields.status : statusAfter[source],
      judged_iteration: Math.max(fields.judged_iteration, iteration),
      pending_refinement: passed ? null : { source, text },
      reviews: [...fields.reviews, { source, iteration, passed, text, tree, at, ...more }],
    };
    return { fields: after, data: { ...known, status: after.status } };
  });
}

const statusAfter = { review: "reviewed", testing: "tested" } as const;
