/** `envoy plan read-prompt`: all that an agent has to know of its prompt. */
import { readPlan } from "./plan.ts";
import { readPrompt } from "./prompt.ts";
import { idText, type PromptId } from "./prompt-id.ts";
import type { PlanFolder } from "./write.ts";

export async function fullPrompt(plan: PlanFolder, id: PromptId) {
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
}
