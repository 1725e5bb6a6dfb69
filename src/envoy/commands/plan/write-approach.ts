import { findPlan } from "../../../plans/find-plan.ts";
import { readId } from "../../../plans/prompt/prompt-id.ts";
import { writeApproach } from "../../../plans/findings/write-approach.ts";
import type { CommandCall, Data } from "../../command.ts";

export async function run(call: CommandCall): Promise<Data> {
  const { given } = call;
  const id = readId(given.need("approach_num"), given.text("variant"));
  return writeApproach(await findPlan(call), given.need("agent_name"), id, {
    description: given.need("description"),
    context: given.need("context"),
    files: given.list("files") ?? [],
    questions: given.list("questions") ?? [],
  });
}
