/** `envoy plan get-finding-approach`: one approach, as the specialist needs it that is to revise it. */
import { AppError } from "../lib/errors.ts";
import { approachOf, readFindings } from "./findings.ts";
import { idText, type PromptId } from "./prompt-id.ts";
import type { PlanFolder } from "./write.ts";

export async function getApproach(plan: PlanFolder, specialist: string, id: PromptId) {
  const findings = await readFindings(plan, specialist);
  if (findings === null)
    throw new AppError("not_found", `${specialist} has written no findings`, {
      hint: "envoy plan write-approach comes first",
    });
  const { pending_refinement, ...approach } = approachOf(findings, id);
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
