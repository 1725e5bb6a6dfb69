import { findPlan } from "../../../plans/find-plan.ts";
import { writeNotes } from "../../../plans/findings/write-approach.ts";
import type { CommandCall, Data } from "../../command.ts";

export async function run(call: CommandCall): Promise<Data> {
  const { given } = call;
  return writeNotes(await findPlan(call), given.need("agent_name"), given.need("notes"));
}
