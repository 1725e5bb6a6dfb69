/** The commands on what specialists found: their approaches and notes. */
import { AppError } from "../../../lib/errors.ts";
import { findPlan } from "../../../plans/find-plan.ts";
import { findApproach, readFindings } from "../../../plans/findings/findings.ts";
import { writeApproach, writeNotes } from "../../../plans/findings/write-approach.ts";
import { idText, readId } from "../../../plans/prompt/prompt-id.ts";
import type { CommandCall, Data } from "../../command.ts";

export async function write(call: CommandCall): Promise<Data> {
  const { given } = call;
  const id = readId(given.need("approach_num"), given.text("variant"));
  return writeApproach(await findPlan(call), given.need("agent_name"), id, {
    description: given.need("description"),
    context: given.need("context"),
    files: given.list("files") ?? [],
    questions: given.list("questions") ?? [],
  });
}

export async function notes(call: CommandCall): Promise<Data> {
  const { given } = call;
  return writeNotes(await findPlan(call), given.need("agent_name"), given.need("notes"));
}

/** One approach, for the specialist that revises it. */
export async function get(call: CommandCall): Promise<Data> {
  const { given } = call;
  const id = readId(given.need("approach_num"), given.text("variant"));
  const plan = await findPlan(call);
  const specialist = given.need("specialist_name");
  const found = await readFindings(plan, specialist);
  if (found === null)
    throw new AppError("not_found", `${specialist} has written no findings`, {
      hint: "envoy plan write-approach comes first",
    });
  const { pending_refinement, ...approach } = findApproach(found, id);
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
