import { findPlan } from "../../../plans/find-plan.ts";
import { readId, idText, type PromptId } from "../../../plans/prompt/prompt-id.ts";
import type { CommandCall, Data } from "../../command.ts";
import { AppError } from "../../../lib/errors.ts";
import { findApproach, readFindings } from "../../../plans/findings/findings.ts";
import type { PlanFolder } from "../../../plans/write.ts";

export async function run(call: CommandCall): Promise<Data> {
  const { given } = call;
  const id = readId(given.need("approach_num"), given.text("variant"));
  return getApproach(await findPlan(call), given.need("specialist_name"), id);
}

/** `envoy plan get-finding-approach`: one approach, for the specialist that revises it. */
async function getApproach(plan: PlanFolder, specialist: string, id: PromptId) {
  const findings = await readFindings(plan, specialist);
  if (findings === null)
    throw new AppError("not_found", `${specialist} has written no findings`, {
      hint: "envoy plan write-approach comes first",
    });
  const { pending_refinement, ...approach } = findApproach(findings, id);
  return {
    specialist,
    approach_id: idText(id),
    number: approach.number,
    variant: approach.variant,
    description: approach.description,
    relevant_files: approach.relevant_files,
    approach_detail: approach.approach_detail,
    user_addressed_questions: approach.user_addressed_questions,
    ...(pending_refinement !== null && { pending_refinement }),
  };
}
