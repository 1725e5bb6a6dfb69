import { findPlan } from "../../../plans/find-plan.ts";
import type { CommandCall, Data } from "../../command.ts";
import { requiredPrompt } from "../prompt-argument.ts";
import { readPlan } from "../../../plans/plan.ts";
import { readPrompt } from "../../../plans/prompt/prompt.ts";
import { idText, type PromptId } from "../../../plans/prompt/prompt-id.ts";
import type { PlanFolder } from "../../../plans/write.ts";

export async function run(call: CommandCall): Promise<Data> {
  const id = requiredPrompt(call.given);
  return fullPrompt(await findPlan(call), id);
}

/** `envoy plan read-prompt`: everything that an agent needs to know about its prompt. */
async function fullPrompt(plan: PlanFolder, id: PromptId) {
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
