import { readPlan } from "../../../plans/plan.ts";
import { readPrompt } from "../../../plans/prompt/prompt.ts";
import { idText } from "../../../plans/prompt/prompt-id.ts";
import { onPrompt } from "../on-prompt.ts";

/** Everything that an agent needs to know about its prompt. */
export const run = onPrompt(async (plan, id) => {
  const [{ fields: front_matter, body }, { fields, context }] = await Promise.all([
    readPrompt(plan, id),
    readPlan(plan),
  ]);
  const { pending_refinement } = front_matter;
  return {
    id: idText(id),
    front_matter,
    content: body,
    plan: { title: fields.title, objective: fields.objective, context },
    ...(pending_refinement !== null && { pending_refinement }),
  };
});
