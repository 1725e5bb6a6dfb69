/** `mettle approve <id> --gate review`: a person approves the current tree in place of the reviewer. */
import { byText } from "../../log/by-text.ts";
import type { By } from "../../log/by.ts";
import { AppError } from "../../lib/errors.ts";
import { refuseDecided } from "../prompt/change-prompt.ts";
import { requireWork } from "../gates/subject.ts";
import { judgePrompt } from "../judge.ts";
import type { PlanLocation } from "../find-plan.ts";
import { readPrompt } from "../prompt/prompt.ts";
import { idText, type PromptId } from "../prompt/prompt-id.ts";

export async function acceptReview(
  plan: PlanLocation,
  id: PromptId,
  { reason, by }: { readonly reason: string; readonly by: By },
): Promise<{ readonly tree: string }> {
  if (reason.trim() === "")
    throw new AppError("reason_required", "accepting work without a review needs a reason", {
      hint: `mettle approve ${idText(id)} --gate review --reason "…"`,
    });
  const prompt = await readPrompt(plan, id);
  refuseDecided(prompt);
  const { tree } = await requireWork(plan, prompt);
  await judgePrompt(plan, id, {
    source: "review",
    passed: true,
    text: `Accepted by a person: ${reason}`,
    tree,
    by: byText(by),
  });
  return { tree };
}
