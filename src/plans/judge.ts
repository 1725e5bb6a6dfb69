/** What a review or a person's test says of the newest iteration: it is frozen then, and a change that is asked for is kept. */
import { systemClock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { changePrompt, refuseDecided } from "./change-prompt.ts";
import type { PromptFields } from "./prompt.ts";
import { idText, type PromptId } from "./prompt-id.ts";
import type { PlanFolder } from "./write.ts";

export interface Judgement {
  readonly source: "review" | "testing";
  readonly passed: boolean;
  /** What is to change, or was said. */
  readonly text: string;
  /** The tree that was judged. */
  readonly tree: string | null;
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
    const { source, passed, text, tree } = judgement;
    const at = new Date(systemClock.now()).toISOString();
    const after: Partial<PromptFields> = {
      status: passed ? (source === "review" ? "reviewed" : "tested") : "implemented",
      judged_iteration: last.iteration,
      pending_refinement: passed ? null : { source, text },
      reviews: [...fields.reviews, { source, iteration: last.iteration, passed, text, tree, at }],
    };
    return { fields: after, data: { id: idText(id), status: after.status, iteration: last.iteration } };
  });
}
